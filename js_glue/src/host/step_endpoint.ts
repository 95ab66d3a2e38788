// POST of a step: decoded, composed, then streamed (spec: host-protocol.md). Everything that can refuse it does so before
// the first frame; a refusal has a status, a stream always 200.

import { decodeStepRequest } from "../protocol/index.js";
import type { DecodedStep } from "../protocol/types.js";
import { readBody } from "./body.js";
import { catalogOf } from "./catalog.js";
import { FrameWriter } from "./frame_writer.js";
import { report, tellerOf, type Tell } from "./host_audit.js";
import type { HostModel } from "./model/types.js";
import type { Settings } from "./options.js";
import { Refusal } from "./refusal.js";
import type { RunningSteps } from "./running_steps.js";
import { StepRun } from "./step_run.js";
import type { HostSession, StepInfo } from "./types.js";

export async function answerStep<S extends HostSession>(
  settings: Settings<S>,
  running: RunningSteps,
  session: S,
  request: Request,
): Promise<Response> {
  const step = decoded(await readBody(request, settings.limits.maxBodyBytes), settings);
  const info = infoOf(session, step);
  const release = running.take(session.id, [step.conversationId, step.turnId, step.stepIndex]);
  try {
    const { run, writer } = await prepared(settings, session, step, info);
    running.follow(run.run().finally(release));
    return streamed(writer, step.protocolVersion);
  } catch (error) {
    release();
    throw error;
  }
}

function decoded<S extends HostSession>(body: Uint8Array, { limits }: Settings<S>): DecodedStep {
  const result = decodeStepRequest(body, limits);
  if (result.ok) return result.step;
  const { code, message, path } = result.error;
  throw new Refusal(code, message, { status: result.status, ...(path === undefined ? {} : { path }) });
}

function infoOf<S extends HostSession>(session: S, step: DecodedStep): StepInfo<S> {
  const { conversationId, turnId, stepIndex, pathname, modelId } = step;
  return { session, conversationId, turnId, stepIndex, pathname, ...(modelId === undefined ? {} : { modelId }) };
}

async function prepared<S extends HostSession>(
  settings: Settings<S>,
  session: S,
  step: DecodedStep,
  info: StepInfo<S>,
): Promise<{ run: StepRun<S>; writer: FrameWriter }> {
  const model = await modelOf(settings, info);
  const system = typeof settings.system === "function" ? await settings.system(info) : settings.system;
  const context = await settings.contextFor(session.actor, session);
  const catalog = await catalogOf(settings, session, context, step);
  const stepId = `step_${crypto.randomUUID()}`;
  const { conversationId, turnId, stepIndex } = step;
  const tell = tellerOf(settings, session, { stepId, conversationId, turnId, stepIndex });
  const writer = writerOf(settings, tell);
  const parts = { settings, session, context, step, stepId, catalog, model, system, writer, tell };
  return { run: new StepRun(parts), writer };
}

async function modelOf<S extends HostSession>({ model }: Settings<S>, info: StepInfo<S>): Promise<HostModel> {
  const chosen = typeof model === "function" ? await model(info) : model;
  if (chosen === undefined) throw new Refusal("MODEL_NOT_CONFIGURED", "This server has no model for this step.");
  return chosen;
}

function writerOf<S extends HostSession>({ onError }: Settings<S>, tell: Tell): FrameWriter {
  return new FrameWriter({
    readerLeft: () => tell("step.reader-left"),
    missed: (count) => tell("audit.missed", { count }),
    failed: (error) => report(onError, error, "frame"),
  });
}

function streamed({ body }: FrameWriter, version: number): Response {
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
      "x-host-protocol-version": String(version),
      "x-content-type-options": "nosniff",
      // A proxy that collects the response would make a stream of it no more.
      "x-accel-buffering": "no",
    },
  });
}
