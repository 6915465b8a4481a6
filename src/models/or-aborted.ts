/** Waits for a promise that others may wait for too. Rejects with the signal's reason as soon as it is aborted. */
export const orAborted = async <Value>(wait: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([wait, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
