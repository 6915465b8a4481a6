/** The session ended under somebody's hands: whoever finds out says so here, and the shell asks to sign in again. */
const listeners = new Set<() => void>()

export const announceSessionEnd = (): void => {
  for (const listener of listeners) listener()
}

export const onSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
