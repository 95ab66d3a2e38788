// What every random history does: one weighted step after the other, and after each of them whatever must hold. The first
// violation ends it.

export class RandomHistory {
  counts = { steps: 0 };
  #weights;
  #version = 0n;
  #violation;

  /** `weights`: how often each method of the history is the next step. */
  constructor(random, weights) {
    this.random = random;
    this.#weights = weights;
  }

  fail(message) {
    this.#violation ??= new Error(`step ${this.counts.steps}: ${message}`);
  }

  async step() {
    this.counts.steps++;
    this[this.random.weighted(this.#weights)]();
    await this.settleDown();
  }

  /** Lets the page come to rest, then looks: `check()` is the history's own. */
  async settleDown() {
    await new Promise((done) => setImmediate(done));
    this.check();
    this.throwViolation();
  }

  throwViolation() {
    if (this.#violation) throw this.#violation;
  }

  checkVersion(registry) {
    const version = BigInt(registry.getVersion());
    if (version < this.#version) this.fail(`the version went from ${this.#version} back to ${version}`);
    this.#version = version;
  }
}
