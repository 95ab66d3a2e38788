// The running half of the hand-written registry: the queue of a registration, timeout, cancellation, and the handler.

const kQueueDepth = 2;
const kMaxOutput = 32_768;

export const failure = (code, message, retry, details) => ({ code, message, retry, ...(details && { details }) });

export function boundOf(registration, capability) {
  const { actions, observations } = registration.binding;
  return capability.action ? actions[capability.name] : observations[capability.name];
}

/** One call from admission to its end. `end` is idempotent: the first to come decides. */
class Flight {
  controller = new AbortController();
  #over = false;
  #started = false;
  #timer;
  #cancel;

  constructor(registration, capability, call, done) {
    Object.assign(this, { registration, capability, call, done });
  }

  admit() {
    const { registration, capability, call } = this;
    const { timeoutMs, signal } = call;
    registration.flights.add(this);
    this.#timer = setTimeout(() => this.end(failure("TIMEOUT", "It took too long.", "no", { timeoutMs })), timeoutMs);
    if (signal) {
      this.#cancel = () => this.end(failure("CANCELLED", "The caller cancelled.", "yes"));
      if (signal.aborted) return this.#cancel();
      signal.addEventListener("abort", this.#cancel, { once: true });
    }
    if (capability.action && registration.running > 0) registration.waiting.push(this);
    else this.start();
  }

  start() {
    if (this.#over) return;
    this.#started = true;
    if (this.capability.action) this.registration.running++;
    void this.#handle();
  }

  end(error, output) {
    if (this.#over) return;
    this.#over = true;
    const { registration, capability, call } = this;
    clearTimeout(this.#timer);
    if (this.#cancel) call.signal.removeEventListener("abort", this.#cancel);
    registration.flights.delete(this);
    if (error) this.controller.abort();
    if (this.#started && capability.action) registration.running--;
    this.done({ error, output });
    while (registration.alive && registration.running === 0 && registration.waiting.length > 0)
      registration.waiting.shift().start();
  }

  async #handle() {
    const { registration, capability, call } = this;
    const context = {
      invocationId: call.invocationId,
      consumer: call.consumer,
      capabilityId: capability.id,
      registrationId: registration.registrationId,
      signal: this.controller.signal,
    };
    try {
      const { execute, read } = boundOf(registration, capability);
      const output = await (capability.action ? execute(call.input, context) : read(context));
      if (output === undefined) return this.end();
      const text = JSON.stringify(output);
      if (text.length > kMaxOutput) this.end(failure("EXECUTION_FAILED", "The output is too large.", "no"));
      else this.end(undefined, JSON.parse(text));
    } catch {
      this.end(failure("EXECUTION_FAILED", "The handler failed.", "no"));
    }
  }
}

/** Runs a call in its turn; resolves to `{error?, output?}`. */
export function fly(registration, capability, call) {
  if (capability.action && registration.running > 0 && registration.waiting.length >= kQueueDepth) {
    return Promise.resolve({
      error: failure("RATE_LIMITED", "Too many calls wait.", "after-delay", { retryAfterMs: 250 }),
    });
  }
  return new Promise((done) => new Flight(registration, capability, call, done).admit());
}
