// Lets what is already under way get as far as it can: all microtasks, thus all reactions of promises that are settled.

export { nextTask as flush } from "../registry/next_task.js";
