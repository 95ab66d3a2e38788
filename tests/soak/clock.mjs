// The injected clock: time moves only when the history says so, and due timers fire in the order of their deadlines.

export function createClock(start = 1_000_000) {
  let time = start;
  let last = 0;
  const timers = new Map();

  function earliest(until) {
    let found;
    for (const timer of timers.values()) {
      if (timer.at <= until && (found === undefined || timer.at < found.at)) found = timer;
    }
    return found;
  }

  return {
    now: () => time,
    setTimeout(callback, ms) {
      const timer = { id: ++last, at: time + Math.max(0, ms), callback };
      timers.set(timer.id, timer);
      return timer.id;
    },
    clearTimeout: (id) => void timers.delete(id),
    advance(ms) {
      const until = time + ms;
      for (let timer = earliest(until); timer; timer = earliest(until)) {
        timers.delete(timer.id);
        time = Math.max(time, timer.at);
        timer.callback();
      }
      time = until;
    },
    pending: () => timers.size,
  };
}
