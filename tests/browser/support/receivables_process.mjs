// The workbench's server as a process of its own, to be killed: node receivables_process.mjs <data folder> <port> [stall]
import { scriptedModel } from "../../../js_glue/dist/host/index.js";
import { startServer } from "../../../examples_web/receivables/server/main.mjs";
import { TODAY } from "./receivables.mjs";

const [dataFolder, port, stall] = process.argv.slice(2);
const never = new Promise(() => setInterval(() => undefined, 1000));
const model = scriptedModel({
  turns: [
    {
      when: /create/,
      steps: [
        { calls: [{ tool: "domain_create-invoice", input: { clientId: "c2", amount: 5000 } }] },
        async () => {
          await never;
          return { text: "never" };
        },
      ],
    },
  ],
});
const { url } = await startServer({ dataFolder, port: Number(port), today: TODAY, ...(stall && { model }) });
process.send({ url });
