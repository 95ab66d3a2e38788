// Lets what is already under way get as far as it can: all microtasks, thus all reactions of promises that are settled.

/** One turn of the event loop. A message is no timer: a test that replaces the platform's timers does not stop it. */
export function flush(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === "undefined") {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port would keep a process alive.
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
