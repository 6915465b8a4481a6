/** A signal that aborts with another one, or by itself. */
export interface FollowingSignal {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Stops following the other signal. */
  release(): void
}

/**
 * `AbortSignal.any` does the same for any number of signals and needs no release, but its weak references cost each request
 * more than all other signals together.
 */
export const followSignal = (outer: AbortSignal): FollowingSignal => {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => outer.removeEventListener('abort', onAbort),
  }
}
