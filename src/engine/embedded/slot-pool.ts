/** Lends out a fixed number of things, first come, first served. An aborted wait gives up its place. */
export interface SlotPool<Slot> {
  take(signal: AbortSignal): Promise<Slot>
  give(slot: Slot): void
}

type Waiting<Slot> = { accept: (slot: Slot) => void }

export const createSlotPool = <Slot>(slots: readonly Slot[]): SlotPool<Slot> => {
  const free = [...slots]
  const queue = new Set<Waiting<Slot>>()
  return {
    async take(signal) {
      signal.throwIfAborted()
      const slot = free.shift()
      if (slot !== undefined) return slot
      const { promise, resolve, reject } = Promise.withResolvers<Slot>()
      const waiting = { accept: resolve }
      const leave = () => {
        queue.delete(waiting)
        reject(signal.reason)
      }
      queue.add(waiting)
      signal.addEventListener('abort', leave, { once: true })
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
    give(slot) {
      const [next] = queue
      if (!next) {
        free.push(slot)
        return
      }
      queue.delete(next)
      next.accept(slot)
    },
  }
}
