/** SIGHUP: the terminal or session that started the server has ended. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Stop = (typeof signals)[number]

/** npm and the terminal both forward Ctrl-C, so the same one may arrive twice. */
const sameOneMs = 500

/**
 * Waits for the first stop signal. A second, distinct signal ends the process immediately.
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
