// A task is a turn of a MessageChannel: in a hidden tab timers come once a second or less, messages do not.

/** A channel for each task: on one that stays open a host may handle many messages in one turn of its loop. */
export function nextTask(): Promise<void> {
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
