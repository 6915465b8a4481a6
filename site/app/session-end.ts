/** The session ended while the page was open: whatever detects it announces it, and the shell asks to sign in again. */
export type SessionEnd = {
  announce(): void
  /** Returns what ends the listening. */
  listen(listener: () => void): () => void
}

export const createSessionEnd = (): SessionEnd => {
  const listeners = new Set<() => void>()
  return {
    announce() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
