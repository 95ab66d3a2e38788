import assert from "node:assert/strict";
import { test } from "node:test";
import { coordinatorSuite } from "../shared/approval_coordinator_suite.mjs";
import { approved, domain, requestOf } from "./fixtures/approvals.mjs";

const { createInMemoryApprovalCoordinator } = domain;

coordinatorSuite("in memory", (_, now) => createInMemoryApprovalCoordinator({ now }));

test("without a clock of its own the coordinator in memory has the system's", async () => {
  const store = createInMemoryApprovalCoordinator();
  const now = Date.now();
  await store.create(requestOf("apr_1", { expiresAt: now + 60_000 }));
  const { decision } = await store.decide("apr_1", approved);
  assert.ok(decision.decidedAt >= now && decision.decidedAt <= Date.now());
});

test("two coordinators in memory know nothing of each other", async () => {
  const [one, other] = [createInMemoryApprovalCoordinator(), createInMemoryApprovalCoordinator()];
  await one.create(requestOf("apr_1"));
  assert.equal(await other.get("apr_1"), null);
});
