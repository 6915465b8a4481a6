/** SIGHUP: the terminal or the session the server was started from has ended. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Stop = (typeof signals)[number]

/** npm and the terminal both pass Ctrl-C on, so the same one may come twice. */
const sameOneMs = 500

/**
 * Waits for the first request to stop. A second one, clearly later, means "now": the process ends at once.
 */
export const createStopSignal = () => {
  const { promise: received, resolve } = Promise.withResolvers<Stop>()
  let firstMs: number | null = null
  for (const signal of signals)
    process.on(signal, () => {
      const nowMs = performance.now()
      if (firstMs === null) firstMs = nowMs
      else if (nowMs - firstMs > sameOneMs) process.exit(130)
      resolve(signal)
    })
  const isStop = (reason: string): reason is Stop => signals.some((signal) => signal === reason)
  return { received, isStop }
}
