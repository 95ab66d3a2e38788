// What every approval coordinator does (spec: domain.md §8.1), whatever it keeps its records in.
//
//     coordinatorSuite("SQLite", (t, now) => createSqliteApprovalCoordinator({ path, now }))

import assert from "node:assert/strict";
import { test } from "node:test";
import { approved, approver, hashOf, requestOf } from "../node/fixtures/approvals.mjs";

const EXECUTION = "exe_1";
const refused = (code) => ({ name: "ApprovalError", code });
const statuses = (records) => records.map(({ id, status }) => [id, status]);

/** `open(t, now)` gives a coordinator without records. */
export function coordinatorSuite(name, open) {
  const rule = (title, run) =>
    test(`${name}: ${title}`, async (t) => {
      const clock = { time: 1500 };
      await run(
        open(t, () => clock.time),
        clock,
      );
    });

  rule("a request is stored as pending, and comes back as it was given", async (store) => {
    const request = requestOf("apr_1", {
      correlationId: "cor",
      types: ["money"],
      actor: { id: "ann", kind: "service" },
    });
    const record = await store.create(request);
    assert.deepEqual(record, { ...request, status: "pending" });
    assert.deepEqual(await store.get("apr_1"), record);
  });

  rule("an id that nobody stored reads as null, cannot be decided and cannot be consumed", async (store) => {
    await store.create(requestOf("apr_1"));
    for (const id of ["apr_2", "", "__proto__", "APR_1", "apr_1 ", undefined, null, 7, {}]) {
      assert.equal(await store.get(id), null);
      await assert.rejects(store.decide(id, approved), refused("UNKNOWN_APPROVAL"));
      await assert.rejects(store.markConsumed(id, EXECUTION), refused("UNKNOWN_APPROVAL"));
    }
  });

  rule("a second request of one id is refused and the first stays", async (store) => {
    const first = await store.create(requestOf("apr_1"));
    await assert.rejects(store.create(requestOf("apr_1", { input: { amount: 99 } })), refused("DUPLICATE_APPROVAL"));
    await store.decide("apr_1", approved);
    await store.markConsumed("apr_1", EXECUTION);
    await assert.rejects(store.create(requestOf("apr_1")), refused("DUPLICATE_APPROVAL"));
    assert.deepEqual((await store.get("apr_1")).input, first.input);
  });

  rule("a malformed request is refused by a sentence that names the field, and nothing is stored", async (store) => {
    const faults = {
      id: ["", 7, undefined, "apr\0", "apr\ud800"],
      capabilityId: ["", null],
      surface: ["nowhere", undefined],
      actor: [null, {}, { id: "", kind: "user" }, { id: "ann", kind: "ghost" }, { id: "an\0n", kind: "user" }],
      correlationId: [7, null],
      inputHash: ["", "ABC", "0".repeat(63), "F".repeat(64), undefined],
      reasons: ["one", [1], undefined],
      types: [null, [undefined]],
      risk: ["huge"],
      sideEffect: [undefined],
      requestedAt: ["now", undefined],
      expiresAt: [null, new Date()],
    };
    for (const [field, values] of Object.entries(faults)) {
      for (const value of values) {
        const request = { ...requestOf("apr_1"), [field]: value };
        await assert.rejects(store.create(request), (error) => {
          assert.equal(error.code, "INVALID_REQUEST");
          assert.match(error.message, new RegExp(`\\b${field}\\b`));
          return true;
        });
      }
    }
    for (const request of [undefined, null, 7, [], () => 1]) {
      await assert.rejects(store.create(request), refused("INVALID_REQUEST"));
    }
    assert.deepEqual(await store.list(), []);
  });

  rule("what canonical JSON refuses is no input, wherever it hides", async (store) => {
    const loop = { name: "loop" };
    loop.self = loop;
    const inputs = [() => 1, Symbol("s"), 10n, NaN, -Infinity, new Map(), new (class Thing {})(), loop, [loop]];
    const hostile = { get amount() { throw new Error("secret"); } }; // prettier-ignore
    for (const input of [...inputs, ...inputs.map((bad) => ({ deep: [{ bad }] })), hostile]) {
      await assert.rejects(store.create({ ...requestOf("apr_1"), input }), (error) => {
        assert.equal(error.code, "INVALID_REQUEST");
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
    await assert.rejects(store.create({ ...requestOf("apr_1"), input: undefined }), refused("INVALID_REQUEST"));
    await assert.rejects(store.create({ ...requestOf("apr_1"), input: [loop] }), /\/input\/0\/self is part of a cycle/);
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    await assert.rejects(store.create({ ...requestOf("apr_1"), input: deep }), /is nested deeper than 256 levels/);
    const attributes = { roles: new Set(["a"]) };
    await assert.rejects(
      store.create(requestOf("apr_1", { actor: { id: "ann", kind: "user", attributes } })),
      /\/actor\/attributes\/roles is a class instance/,
    );
    assert.equal(await store.get("apr_1"), null);
  });

  rule(
    "what was hashed comes back: dates, what toJSON says, absent places, keys that mean something else elsewhere",
    async (store) => {
      const input = {
        due: new Date("2024-02-29T12:34:56.789Z"),
        far: [new Date(8.64e15), { early: new Date(-8.64e15) }],
        never: new Date(NaN),
        price: { cents: 1250, toJSON: () => "12.50" },
        odd: Object.assign(new Date(7), { toJSON: () => "odd" }),
        home: new URL("https://example.org/a?b"),
        list: [1, undefined, null, "x"],
        gone: undefined,
        text: "\0 \ud800 \u2028 \"quoted\" 'single' ; DROP TABLE",
        numbers: [-0, 1e21, 5e-324, 0.1, 2 ** 53 + 2, true, false, null],
        "a/b~c": { "~1": new Date(0) },
        ["__proto__"]: { polluted: new Date(1) },
        constructor: "no function",
        looksLikeADate: "2024-02-29T12:34:56.789Z",
      };
      await store.create(requestOf("apr_1", { input }));
      for (const record of [await store.get("apr_1"), (await store.list())[0]]) {
        const back = record.input;
        assert.equal(hashOf(back), hashOf(input));
        assert.deepEqual(back.due, input.due);
        assert.deepEqual(back.far, input.far);
        assert.ok(back.never instanceof Date && Number.isNaN(back.never.getTime()));
        assert.deepEqual([back.price, back.odd, back.home], ["12.50", "odd", "https://example.org/a?b"]);
        assert.deepEqual(back.list, input.list);
        assert.ok(!("gone" in back));
        assert.equal(back.text, input.text);
        assert.deepEqual(back.numbers, [0, ...input.numbers.slice(1)]);
        assert.deepEqual(back["a/b~c"], { "~1": new Date(0) });
        assert.deepEqual(Object.getOwnPropertyDescriptor(back, "__proto__").value, { polluted: new Date(1) });
        assert.equal(Object.getPrototypeOf(back), Object.prototype);
        assert.equal(back.constructor, "no function");
        assert.equal(back.looksLikeADate, input.looksLikeADate);
        assert.equal({}.polluted, undefined);
      }
    },
  );

  rule("an input need not be an object", async (store) => {
    const inputs = ["text", "", 0, false, null, [], new Date(5), [[new Date(6)]]];
    for (const [at, input] of inputs.entries()) {
      await store.create({ ...requestOf(`apr_${at}`), input });
      assert.deepEqual((await store.get(`apr_${at}`)).input, input);
    }
  });

  rule("records are detached: neither what was given nor what came back reaches what is stored", async (store) => {
    const shared = { at: new Date(0), tags: ["a"] };
    const actor = { id: "ann", kind: "user", attributes: { team: { name: "x" } } };
    const request = requestOf("apr_1", { input: { one: shared, two: shared }, actor, types: ["t"] });
    const decision = {
      status: "approved",
      approver: { ...approver, attributes: { since: new Date(0) } },
      comment: "ok",
    };
    const meddle = (record) => {
      record.input.one.at.setTime(99);
      record.input.two.tags.push("b");
      record.actor.attributes.team.name = "y";
      record.types.push("u");
      record.status = "consumed";
      if (record.decision) record.decision.approver.attributes.since.setTime(99);
    };
    meddle(await store.create(request));
    meddle(request);
    meddle(await store.get("apr_1"));
    meddle(await store.decide("apr_1", decision));
    decision.approver.attributes.since.setTime(77);
    for (const record of await store.list()) meddle(record);
    meddle(await store.markConsumed("apr_1", EXECUTION));
    const record = await store.get("apr_1");
    assert.deepEqual(record.input, { one: { at: new Date(0), tags: ["a"] }, two: { at: new Date(0), tags: ["a"] } });
    assert.deepEqual(record.actor, { id: "ann", kind: "user", attributes: { team: { name: "x" } } });
    assert.deepEqual(record.types, ["t"]);
    assert.deepEqual(record.decision.approver.attributes, { since: new Date(0) });
    assert.notEqual(record.input.one, record.input.two);
  });

  rule("a decision is stamped with its time and stored with approver and comment", async (store, clock) => {
    const request = requestOf("apr_1");
    await store.create(request);
    clock.time = 1700;
    const record = await store.decide("apr_1", { ...approved, comment: "fine", decidedAt: 1, extra: () => 1 });
    const decision = { ...approved, comment: "fine", decidedAt: 1700 };
    assert.deepEqual(record, { ...request, status: "approved", decision });
    assert.deepEqual(await store.get("apr_1"), record);
    await store.create(requestOf("apr_2"));
    assert.equal((await store.decide("apr_2", { status: "rejected", approver })).status, "rejected");
  });

  rule("whoever asked may decide: self-approval is a matter of the execution", async (store) => {
    const { actor } = await store.create(requestOf("apr_1"));
    assert.equal((await store.decide("apr_1", { status: "approved", approver: actor })).status, "approved");
  });

  rule("an ill-formed decision is refused and changes nothing", async (store) => {
    const before = await store.create(requestOf("apr_1"));
    const decisions = [
      undefined,
      null,
      "approved",
      [],
      {},
      { approver },
      { status: "pending", approver },
      { status: "consumed", approver },
      { status: "approved" },
      { status: "approved", approver: { id: "", kind: "user" } },
      { status: "approved", approver: { id: "bob", kind: "robot" } },
      { status: "approved", approver, comment: 7 },
      { status: "approved", approver: { ...approver, attributes: { run: () => 1 } } },
      { get status() { throw new Error("secret"); }, approver }, // prettier-ignore
    ];
    for (const decision of decisions) {
      await assert.rejects(store.decide("apr_1", decision), refused("DECISION_REFUSED"));
      assert.deepEqual(await store.get("apr_1"), before);
    }
  });

  rule("only a pending record is decided, and once", async (store) => {
    await store.create(requestOf("apr_1"));
    const first = await store.decide("apr_1", approved);
    await assert.rejects(store.decide("apr_1", { status: "rejected", approver }), refused("DECISION_REFUSED"));
    assert.deepEqual(await store.get("apr_1"), first);
    await store.markConsumed("apr_1", EXECUTION);
    await assert.rejects(store.decide("apr_1", approved), refused("DECISION_REFUSED"));
    await store.create(requestOf("apr_2"));
    const answers = await Promise.allSettled(
      ["approved", "rejected", "approved", "rejected"].map((status) => store.decide("apr_2", { status, approver })),
    );
    const winners = answers.filter(({ status }) => status === "fulfilled");
    assert.equal(winners.length, 1);
    assert.equal((await store.get("apr_2")).status, winners[0].value.status);
  });

  rule(
    "a pending record reads as expired from strictly after its deadline, and cannot be decided then",
    async (store, clock) => {
      await store.create(requestOf("apr_1"));
      clock.time = 2000;
      assert.equal((await store.get("apr_1")).status, "pending");
      assert.deepEqual(statuses(await store.list({ status: "pending" })), [["apr_1", "pending"]]);
      assert.deepEqual(await store.list({ status: "expired" }), []);
      clock.time = 2000.5;
      assert.equal((await store.get("apr_1")).status, "expired");
      assert.deepEqual(await store.list({ status: "pending" }), []);
      assert.deepEqual(statuses(await store.list({ status: "expired" })), [["apr_1", "expired"]]);
      await assert.rejects(store.decide("apr_1", approved), refused("DECISION_REFUSED"));
      clock.time = 2000;
      assert.equal((await store.decide("apr_1", approved)).status, "approved");
      clock.time = 9000;
      assert.equal((await store.get("apr_1")).status, "approved");
    },
  );

  rule("an approved record is consumed once, by the execution that asked first, however late", async (store, clock) => {
    await store.create(requestOf("apr_1"));
    const decided = await store.decide("apr_1", approved);
    clock.time = 1e9;
    const answers = await Promise.allSettled(
      Array.from({ length: 9 }, (_, at) => store.markConsumed("apr_1", `exe_${at}`)),
    );
    const winners = answers.filter(({ status }) => status === "fulfilled");
    assert.equal(winners.length, 1);
    for (const { reason } of answers.filter((one) => one.status === "rejected"))
      assert.equal(reason.code, "NOT_APPROVED");
    const record = await store.get("apr_1");
    assert.deepEqual(record, { ...decided, status: "consumed", consumedByExecutionId: record.consumedByExecutionId });
    assert.deepEqual(record, winners[0].value);
  });

  rule("what is not approved cannot be consumed, nor by an execution without an id", async (store, clock) => {
    await store.create(requestOf("apr_1"));
    await assert.rejects(store.markConsumed("apr_1", EXECUTION), /is pending/);
    await store.create(requestOf("apr_2"));
    await store.decide("apr_2", { status: "rejected", approver });
    await assert.rejects(store.markConsumed("apr_2", EXECUTION), /is rejected/);
    clock.time = 3000;
    await assert.rejects(store.markConsumed("apr_1", EXECUTION), /is expired/);
    await store.create(requestOf("apr_3", { expiresAt: 4000 }));
    await store.decide("apr_3", approved);
    for (const id of ["", undefined, 7, "exe\0"])
      await assert.rejects(store.markConsumed("apr_3", id), refused("NOT_APPROVED"));
    assert.equal((await store.get("apr_3")).status, "approved");
  });

  rule("filters combine with AND, in the order of creation, after expiry was applied", async (store, clock) => {
    const make = (id, capabilityId, actorId, expiresAt) =>
      store.create(requestOf(id, { capabilityId, actor: { id: actorId, kind: "user" }, expiresAt }));
    await make("b", "x", "ann", 2000);
    await make("a", "y", "ann", 1600);
    await make("d", "x", "eve", 1550);
    await make("c", "x", "ann", 2000);
    await store.decide("b", approved);
    clock.time = 1601;
    const ids = async (filter) => (await store.list(filter)).map(({ id }) => id).join("");
    assert.equal(await ids(), "badc");
    assert.equal(await ids({}), "badc");
    assert.equal(await ids({ status: "pending" }), "c");
    assert.equal(await ids({ status: "expired" }), "ad");
    assert.equal(await ids({ status: "expired", capabilityId: "x" }), "d");
    assert.equal(await ids({ status: "approved", actorId: "ann" }), "b");
    assert.equal(await ids({ capabilityId: "x" }), "bdc");
    assert.equal(await ids({ capabilityId: "x", actorId: "ann" }), "bc");
    assert.equal(await ids({ status: "pending", capabilityId: "x", actorId: "eve" }), "");
    assert.equal(await ids({ status: "cancelled" }), "");
    assert.equal(await ids({ capabilityId: "x\0" }), "");
    assert.equal(await ids({ capabilityId: undefined, other: 1 }), "badc");
    for (const filter of [null, 7, [], { status: "open" }, { status: null }, { capabilityId: 7 }, { actorId: {} }]) {
      await assert.rejects(store.list(filter), refused("INVALID_FILTER"));
    }
  });
}
