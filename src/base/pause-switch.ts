/** Like an `AbortSignal`, but it pauses work and resumes it. */
export interface PauseSwitch {
  readonly isPaused: boolean
  pause(): void
  resume(): void
  /** `onChange` is called at every change. The returned function unsubscribes. */
  subscribe(onChange: (isPaused: boolean) => void): () => void
}

export const createPauseSwitch = (): PauseSwitch => {
  const subscribers = new Set<(isPaused: boolean) => void>()
  let isPaused = false
  const set = (next: boolean): void => {
    if (next === isPaused) return
    isPaused = next
    for (const onChange of [...subscribers]) onChange(next)
  }
  return {
    get isPaused() {
      return isPaused
    },
    pause: () => set(true),
    resume: () => set(false),
    subscribe(onChange) {
      subscribers.add(onChange)
      return () => subscribers.delete(onChange)
    },
  }
}
