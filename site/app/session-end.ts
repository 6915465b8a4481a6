/** The session ended while the page was open: whatever detects it calls this, and the shell asks to sign in again. */
const listeners = new Set<() => void>()

export const announceSessionEnd = (): void => {
  for (const listener of listeners) listener()
}

export const onSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
