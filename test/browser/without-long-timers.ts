/** Toasts disappear after some seconds; on a busy machine, the steps before their Undo take longer. A script for a page's start. */
export const withoutLongTimers = `
  const { setTimeout } = globalThis
  globalThis.setTimeout = (run, ms, ...rest) => (ms >= 5000 ? 0 : setTimeout(run, ms, ...rest))`
