// What the package tests run as an application: register, project, call, unmount, and meet the typed errors.
// One text, so that Node, an esbuild bundle and a Vite build run the same.
export const CONSUMER = `
import { actionContract, createAgentSurfaceRegistry, defineAgentComponentContract, fromJsonSchema, loadRuntime, observationContract } from "viewcap";
import { projectStep } from "viewcap/protocol";

const page = { type: "object", properties: { page: { type: "integer", minimum: 1 } }, required: ["page"], additionalProperties: false };
const contract = defineAgentComponentContract({
  type: "invoices.pending",
  description: "The invoices that wait for approval.",
  observations: { current: observationContract({ description: "Read the page that is shown.", output: fromJsonSchema(page) }) },
  actions: { show: actionContract({ description: "Show one page.", input: fromJsonSchema(page), effect: "local-state" }) },
});

export async function run(options) {
  await loadRuntime(options);
  const registry = createAgentSurfaceRegistry({ environment: "test" });
  let shown = 1;
  const handle = registry.register(
    contract.bind({
      observations: { current: { read: () => ({ page: shown }) } },
      actions: { show: { execute: (input) => void (shown = input.page) } },
    }),
  );
  const consumer = { id: "package-test", kind: "test" };
  const step = projectStep(registry, { consumer });
  const names = step.descriptors.map((descriptor) => descriptor.wireName).sort();
  const call = async (input, extra) => {
    const result = await registry.invoke({ capabilityId: "view:invoices.pending.show", input, ...extra }, { consumer });
    return result.status === "ok" ? "ok" : result.error.code;
  };
  const outcomes = [await call({ page: 3 }), await call({ page: 0 })];
  const read = await registry.invoke({ capabilityId: "view:invoices.pending.current" }, { consumer });
  const registrationId = handle.registrationId;
  handle.unregister();
  outcomes.push(await call({ page: 4 }, { registrationId }));
  registry.dispose();
  return { names, bytes: step.bytes.length, outcomes, output: read.output };
}
`;

export const EXPECTED = {
  names: ["view_invoices__pending__current", "view_invoices__pending__show"],
  outcomes: ["ok", "INVALID_INPUT", "COMPONENT_UNMOUNTED"],
  output: { page: 3 },
};
