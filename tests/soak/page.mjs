// The page of the histories: three component types, three instances of each, and handlers that behave in every way a
// handler can: answer, throw, wait, never answer, answer late, change the registry, call themselves.
//
// What a handler observes about its own start is checked here, at the moment it starts.

import * as viewcap from "viewcap";

const { fromJsonSchema, observationContract, actionContract, defineAgentComponentContract, AgentSurfaceError } =
  viewcap;

const input = fromJsonSchema({
  type: "object",
  properties: { n: { type: "integer", minimum: 0 }, label: { type: "string", maxLength: 20 } },
  required: ["n"],
  additionalProperties: false,
});
const output = fromJsonSchema({
  type: "object",
  properties: { done: { type: "integer" } },
  required: ["done"],
  additionalProperties: false,
});

export const types = ["soak.list", "soak.detail", "soak.dialog"];
export const instances = ["default", "left", "right"];
export const actions = ["act", "walk", "strict"];
export const capabilityNames = ["look", ...actions];

const contracts = new Map(
  types.map((type) => [
    type,
    defineAgentComponentContract({
      type,
      description: "A component of the long random test",
      observations: { look: observationContract({ description: "Look at it", output }) },
      actions: {
        act: actionContract({ description: "Change something here", input, effect: "local-state" }),
        walk: actionContract({ description: "Go somewhere else", input, effect: "navigation" }),
        strict: actionContract({
          description: "Answer by the book",
          input,
          output,
          effect: "local-state",
          idempotent: true,
        }),
      },
    }),
  ]),
);

const kHandlerWays = {
  answer: 20,
  later: 30,
  throws: 5,
  throwsOwn: 5,
  transient: 3,
  never: 4,
  soon: 10,
  mutates: 4,
  callsItself: 3,
  noJson: 1,
  badOutput: 3,
};

/** The definition that mounts `mount`, whose handlers behave as the history's generator says. */
export function defineMount(mount, history) {
  const { random } = history;
  const execute = (name) => ({
    when: () => mount.gates[name],
    unavailableReason: "the switch is off",
    precondition: () => (random.chance(0.03) ? { message: "Not in this state" } : undefined),
    execute: (given, context) => start(mount, name, given, context, history),
  });
  const read = () => {
    if (!mount.alive) history.fail(`look of ${mount.registrationId} ran after its unmount`);
    history.counts.reads++;
    return { done: 1 };
  };
  return contracts.get(mount.type).bind({
    ...(mount.instance === "default" ? {} : { instanceId: mount.instance }),
    observations: { look: { read, when: () => mount.gates.look } },
    actions: Object.fromEntries(actions.map((name) => [name, execute(name)])),
  });
}

function start(mount, name, given, context, history) {
  const run = { mount, name, context, over: false, resolve: undefined, reject: undefined };
  if (!mount.alive) history.fail(`${name} of ${mount.registrationId} was started after its unmount`);
  if (given.n === undefined) history.fail(`${name} got an input without n: ${JSON.stringify(given)}`);
  for (const other of mount.running) {
    if (!other.over && !other.context.signal.aborted)
      history.fail(`two actions of ${mount.registrationId} run at once: ${other.name}, ${name}`);
  }
  mount.running.add(run);
  history.book.executed(context);
  return behave(run, history);
}

function behave(run, history) {
  const way = history.random.weighted(kHandlerWays);
  const end = () => {
    run.over = true;
    run.mount.running.delete(run);
  };
  history.ways[way] = (history.ways[way] ?? 0) + 1;
  switch (way) {
    case "later":
    case "never":
      return new Promise((resolve, reject) => {
        Object.assign(run, {
          resolve: (value) => (end(), resolve(value)),
          reject: (error) => (end(), reject(error)),
        });
        if (way === "later") history.open.push(run);
      });
    case "soon":
      return Promise.resolve({ done: 2 }).finally(end);
    case "callsItself":
      return history.invokeOwn(run.mount, run.name).then(() => (end(), { done: 3 }));
    default:
      end();
      return atOnce(way, run, history);
  }
}

function atOnce(way, run, history) {
  switch (way) {
    case "throws":
      throw new Error("the handler failed");
    case "throwsOwn":
      throw new AgentSurfaceError({ code: "PRECONDITION_FAILED", message: "Not now", retry: "with-changes" });
    case "transient":
      history.book.transient(run.context);
      throw Object.assign(new Error("busy"), { transient: true });
    case "mutates":
      history.mutate();
      return { done: 4 };
    case "noJson":
      history.book.defect(run.context);
      return { done: 1n };
    case "badOutput":
      return { done: "many" };
    default:
      return { done: run.context.invocationId.length };
  }
}
