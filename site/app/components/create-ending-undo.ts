import type { Undo } from './toasts.tsx'

export type EndingUndo = Undo & { end(): void }

/** What undoes something until `end` is called. */
export const createEndingUndo = (run: () => void): EndingUndo => {
  const listeners = new Set<() => void>()
  let isOver = false
  return {
    run,
    applies: () => !isOver,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end() {
      isOver = true
      for (const listener of listeners) listener()
    },
  }
}
