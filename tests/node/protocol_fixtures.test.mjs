// The fixtures of the host protocol, read by the module in Node: the C++ tests read the same files.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { composeCatalog, createFrameDecoder, decodeStepRequest, encodeFrame } from "viewcap/protocol";
import { ready } from "./support.mjs";

await ready;

const folder = new URL("../../host_protocol/fixtures/", import.meta.url);
const bytesOf = (name) => readFileSync(new URL(name, folder));
const named = (place) =>
  readdirSync(new URL(place, folder)).filter((name) => name.endsWith(".json") && !/index\.json$/.test(name));
const brief = (answer) =>
  answer.ok ? "ok" : `${String(answer.status)} ${answer.error.code} ${answer.error.path ?? ""}`.trim();

for (const name of named("valid/")) {
  test(`valid/${name} is decoded, as bytes, as text and as a value alike`, () => {
    const bytes = bytesOf(`valid/${name}`);
    const answer = decodeStepRequest(bytes);
    assert.equal(brief(answer), "ok");
    assert.deepEqual(decodeStepRequest(bytes.toString()), answer);
    // A parser has dropped what JSON.parse cannot hold; nothing of that is in these.
    if (!name.includes("hostile")) assert.deepEqual(decodeStepRequest(JSON.parse(bytes.toString())), answer);
  });
}

const index = JSON.parse(bytesOf("invalid/index.json").toString());
for (const name of named("invalid/")) {
  test(`invalid/${name} is refused with the status, code and path of the index`, () => {
    const { status, code, path } = index[name.replace(/\.json$/, "")];
    assert.equal(
      brief(decodeStepRequest(bytesOf(`invalid/${name}`))),
      `${String(status)} ${code} ${path ?? ""}`.trim(),
    );
  });
}

function replaced(base, path, make) {
  const value = structuredClone(base);
  const keys = path.slice(1).split("/");
  const last = keys.pop();
  const owner = keys.reduce((at, key) => at[key], value);
  owner[last] = make(owner[last]);
  return value;
}

for (const { base, path, fill, least, most, status, code } of JSON.parse(bytesOf("bounds.json").toString()).bounds) {
  test(`${path} of ${base} is accepted from ${String(least)} to ${String(most)}, and refused beyond`, () => {
    const request = JSON.parse(bytesOf(`valid/${base}.json`).toString());
    const filled = (count) =>
      replaced(request, path, (old) => {
        if (fill === "integer") return count;
        return fill === "text" ? "x".repeat(count) : Array.from({ length: count }, () => old[0]);
      });
    const of = (count) => brief(decodeStepRequest(filled(count)));
    assert.notEqual(of(most).split(" ")[2], path);
    assert.equal(of(most + 1), `${String(status)} ${code} ${path}`);
    if (least > 0) assert.equal(of(least - 1), `400 PROTOCOL_DECODE_ERROR ${path}`);
  });
}

test("every valid frame is encoded to a line that gives the same frame", () => {
  const seen = [];
  const decoder = createFrameDecoder((frame) => seen.push(frame));
  const frames = bytesOf("valid/frames.ndjson")
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const frame of frames) decoder.push(encodeFrame(frame));
  assert.deepEqual(seen, frames);
});

test("every invalid frame is refused by the encoder with its path, and an error frame to the decoder", () => {
  const paths = JSON.parse(bytesOf("invalid/frames_index.json").toString());
  const lines = bytesOf("invalid/frames.ndjson").toString().trim().split("\n");
  assert.equal(lines.length, paths.length);
  for (const [at, line] of lines.entries()) {
    const seen = [];
    const decoder = createFrameDecoder((frame) => seen.push(frame));
    decoder.push(`${line}\n`);
    assert.deepEqual(
      seen.map(({ type, error }) => [type, error.code]),
      [["error", "PROTOCOL_DECODE_ERROR"]],
    );
    let frame;
    try {
      frame = JSON.parse(line);
    } catch {
      continue;
    }
    const [place] = [paths[at]];
    assert.throws(() => encodeFrame(frame), { code: "PROTOCOL_DECODE_ERROR", message: new RegExp(place) });
  }
});

const vectors = new URL("../vectors/catalog-merge.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));
for (const { name, frontend, domain, admitted, tools, reports } of cases) {
  test(`catalog: ${name}`, () => {
    const inputSchema = { type: "object" };
    const frontendTools = frontend.map(([wireName, canonicalId, plane]) => {
      const rest = { description: "", inputSchema, effect: "read", confirmation: "never" };
      return { wireName, canonicalId, plane, ...rest };
    });
    const body = {
      protocolVersion: 2,
      conversationId: "c",
      turnId: "t",
      stepIndex: 0,
      pathname: "/",
      messages: [{ role: "user", content: "hi" }],
      catalog: { frontendTools },
    };
    const domainTools = domain.map(([wireName, canonicalId]) => {
      return { wireName, canonicalId, description: "", inputSchema, requiresApproval: false };
    });
    const catalog = composeCatalog({ step: decodeStepRequest(body).step, domainTools, admitted });
    assert.deepEqual(
      catalog.tools.map(({ wireName }) => wireName),
      tools,
    );
    assert.equal(catalog.reports.length, reports.length);
    for (const [at, [eventType, ids]] of reports.entries()) {
      assert.equal(catalog.reports[at].eventType, eventType);
      for (const id of ids) assert.ok([catalog.reports[at].wireName, catalog.reports[at].canonicalId].includes(id));
    }
  });
}
