// The clock of viewcap/testing: it moves only when told, and runs what is due on its way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestClock, createTestSurface, expectError } from "viewcap/testing";
import { ready, tableBinding, tableContract } from "./support.mjs";

test("timers run in order of time, equal ones in the order of arming, each at its own time", async () => {
  const clock = createTestClock();
  const log = [];
  for (const [name, ms] of [
    ["c", 30],
    ["a", 10],
    ["b", 20],
    ["d", 30],
    ["z", 31],
  ]) {
    clock.setTimeout(() => log.push(`${name}${clock.now()}`), ms);
  }
  await clock.advance(30);
  assert.deepEqual(log, ["a10", "b20", "c30", "d30"]);
  assert.equal(clock.now(), 30);
});

test("promise reactions run before, between and after the timers", async () => {
  const clock = createTestClock();
  const log = [];
  const later = async (name) => {
    for (let turn = 0; turn < 50; turn++) await null;
    log.push(name);
  };
  later("before").then(() => clock.setTimeout(() => void later("between"), 10));
  clock.setTimeout(() => log.push("last"), 20);
  await clock.advance(20);
  assert.deepEqual(log, ["before", "between", "last"]);
});

test("a timer armed within the interval runs within it; one that arms itself each time does not hang", async () => {
  const clock = createTestClock();
  const times = [];
  const again = () => {
    times.push(clock.now());
    clock.setTimeout(again, 0);
  };
  clock.setTimeout(again, 3);
  await clock.advance(6);
  assert.deepEqual(times, [3, 4, 5, 6]);
});

test("a cleared timer never runs, also when another of the same time clears it", async () => {
  const clock = createTestClock();
  clock.clearTimeout(clock.setTimeout(() => assert.fail("it ran"), 1));
  const handles = [];
  clock.setTimeout(() => clock.clearTimeout(handles[0]), 5);
  handles.push(clock.setTimeout(() => assert.fail("it ran"), 5));
  clock.clearTimeout(undefined);
  await clock.advance(10);
});

test("the reading can go back; timers do not notice", async () => {
  const clock = createTestClock(1_000);
  let ran = 0;
  clock.setTimeout(() => ran++, 100);
  await clock.advance(-500);
  assert.equal(clock.now(), 500);
  await clock.advance(99);
  assert.equal(ran, 0);
  await clock.advance(1);
  assert.deepEqual([ran, clock.now()], [1, 600]);
});

test("moves that are asked for at once happen one after the other", async () => {
  const clock = createTestClock();
  const times = [];
  clock.setTimeout(() => times.push(clock.now()), 5);
  clock.setTimeout(() => times.push(clock.now()), 15);
  await Promise.all([clock.advance(10), clock.advance(10)]);
  assert.deepEqual([...times, clock.now()], [5, 15, 20]);
});

test("what a timer throws rejects the move when it is done; the others have run", async () => {
  const clock = createTestClock();
  let ran = false;
  clock.setTimeout(() => {
    throw new Error("mine");
  }, 1);
  clock.setTimeout(() => (ran = true), 2);
  await assert.rejects(clock.advance(5), /mine/);
  assert.deepEqual([ran, clock.now()], [true, 5]);
  await assert.rejects(clock.advance(NaN), { code: "INVALID_DEFINITION" });
});

test("a handler that never settles times out at its time of the surface's clock, and flush alone moves nothing", async () => {
  await ready;
  const { registry, clock, call, flush, dispose } = createTestSurface();
  const started = [];
  registry.register(tableContract().bind(tableBinding({ execute: () => (started.push(1), new Promise(() => {})) })));
  let result;
  void call("set").then((value) => (result = value));
  await flush();
  assert.deepEqual([started.length, result, clock.now()], [1, undefined, 0]);
  await clock.advance(9_999);
  assert.equal(result, undefined);
  await clock.advance(1);
  expectError(result, "TIMEOUT");
  dispose();
});
