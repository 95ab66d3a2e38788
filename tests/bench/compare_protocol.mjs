// A step request: a history of 400 messages of 2 kB and 128 tools, one message of it new each step, against JSON.stringify of the
// same body in UTF-8; and a response of 10,000 frames, against splitting lines and JSON.parse in JavaScript.

import { createFrameDecoder, createStepEncoder, projectStep } from "viewcap/protocol";
import { compare, report } from "./measure.mjs";
import { loadLean, makeRegistry, mountMany } from "./viewcap_side.mjs";
import { consumer, contracts } from "./workload.mjs";

await loadLean();

const registry = makeRegistry();
mountMany(registry, contracts(16), 16);
const line = "The quick brown fox jumps over the lazy dog, says “Grüße”. ";
const text = line.repeat(Math.ceil(2000 / line.length)).slice(0, 2000);
const message = (at) => ({ role: at % 2 === 0 ? "user" : "assistant", content: `${String(at)} ${text}` });
const history = Array.from({ length: 399 }, (_, at) => message(at));
const head = { conversationId: "c", turnId: "t", stepIndex: 1, pathname: "/invoices", modelId: "m" };

const encoder = createStepEncoder();
const projection = projectStep(registry, { consumer });
const first = encoder.encode({ ...head, messages: history, projection });
const utf8 = new TextEncoder();
const bodyOf = (messages) => ({
  protocolVersion: 2,
  ...head,
  messages,
  catalog: { mode: "direct", frontendTools: projection.descriptors, frontendState: projection.state },
});
const plainBytes = utf8.encode(JSON.stringify(bodyOf(history))).length;
if (Math.abs(plainBytes - first.length) > 200) throw new Error("the two sides write different bodies");

const frames = Array.from({ length: 10_000 }, (_, at) =>
  JSON.stringify({ type: "text-delta", text: `word ${String(at)}` }),
);
const response = utf8.encode(`${frames.join("\n")}\n`);
const chunks = Array.from({ length: Math.ceil(response.length / 4096) }, (_, at) =>
  response.subarray(at * 4096, (at + 1) * 4096),
);

let kept = 0;
const [told, written] = [{ messages: history }, { messages: history }];
/** One message more. The encoder sends the newest 400; every 400 steps it starts anew, as after a reload. */
function grown(side) {
  const { messages } = side;
  side.messages = [...(messages.length > 800 ? messages.slice(-400) : messages), message(messages.length)];
  return side.messages;
}
const times = await compare(
  {
    encode: (count) => {
      for (let index = 0; index < count; index++) {
        const messages = grown(told);
        kept += encoder.encode({ ...head, messages, projection: projectStep(registry, { consumer }) }).length;
      }
    },
    stringify: (count) => {
      for (let index = 0; index < count; index++) {
        kept += utf8.encode(JSON.stringify(bodyOf(grown(written).slice(-400)))).length;
      }
    },
    copy: (count) => {
      for (let index = 0; index < count; index++) kept += first.slice().length;
    },
    decode: (count) => {
      for (let index = 0; index < count; index++) {
        const decoder = createFrameDecoder(() => kept++);
        for (const chunk of chunks) decoder.push(chunk);
        decoder.finish();
        decoder.dispose();
      }
    },
    parse: (count) => {
      for (let index = 0; index < count; index++) {
        const decoder = new TextDecoder();
        let rest = "";
        for (const chunk of chunks) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = lines.pop();
          for (const one of lines) kept += JSON.parse(one).text.length;
        }
      }
    },
  },
  { rounds: 31 },
);

report({
  figures: {
    encode_400_us: times.encode,
    stringify_400_us: times.stringify,
    decode_10000_us: times.decode,
    js_decode_10000_us: times.parse,
  },
  details: { "the body, bytes": first.length, "a copy of it, µs": times.copy },
});
