/** Wakes whoever follows an organisation's requests. It carries nothing: what is new stands in the ledger. */
export interface LedgerBell {
  /** Something of this organisation was written. Costs one look into a map where nobody listens. */
  ring(organisationId: string): void
  listen(organisationId: string, listener: BellListener): () => void
  /** Nobody needs to listen any more: the server is stopping. */
  close(): void
}

type BellListener = { onRing(): void; onClose(): void }

export const createLedgerBell = (): LedgerBell => {
  const listeners = new Map<string, Set<BellListener>>()
  let isClosed = false
  return {
    ring(organisationId) {
      const hearing = listeners.get(organisationId)
      if (hearing !== undefined) for (const { onRing } of hearing) onRing()
    },
    listen(organisationId, listener) {
      const hearing = listeners.get(organisationId) ?? new Set()
      listeners.set(organisationId, hearing.add(listener))
      if (isClosed) listener.onClose()
      return () => {
        hearing.delete(listener)
        if (hearing.size === 0 && listeners.get(organisationId) === hearing) listeners.delete(organisationId)
      }
    },
    close() {
      isClosed = true
      for (const hearing of listeners.values()) for (const { onClose } of hearing) onClose()
    },
  }
}
