/** SIGHUP: the terminal or session that started the server has ended. SIGBREAK: Ctrl-Break, on Windows only. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const
type Stop = (typeof signals)[number]

/** npm and the terminal both forward Ctrl-C, so the same one may arrive twice. */
const sameOneMs = 500

/**
 * Waits for the first stop signal. A second, distinct signal ends the process immediately, unless it can be hurried: then the
 * one after that does.
 */
export const createStopSignal = () => {
  const { promise: received, resolve } = Promise.withResolvers<Stop>()
  let lastMs: number | null = null
  let hurry = (): boolean => false
  for (const signal of signals)
    process.on(signal, () => {
      const nowMs = performance.now()
      if (lastMs !== null && nowMs - lastMs <= sameOneMs) return
      if (lastMs !== null && !hurry()) process.exit(130)
      lastMs = nowMs
      resolve(signal)
    })
  const isStop = (reason: string): reason is Stop => signals.some((signal) => signal === reason)
  return {
    received,
    isStop,
    /** What a second signal does. False if there is nothing to hurry. */
    onSecond(callback: () => boolean): void {
      hurry = callback
    },
  }
}
