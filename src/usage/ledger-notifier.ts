/** Notifies subscribers that an organisation's requests have changed. It carries no data: that is in the ledger. */
export interface LedgerNotifier {
  /** Something of this organisation was written. Costs one lookup in a map if there are no subscribers. */
  notify(organisationId: string): void
  subscribe(organisationId: string, subscriber: LedgerSubscriber): () => void
  /** No more notifications: the server is stopping. */
  close(): void
}

type LedgerSubscriber = { onNotify(): void; onClose(): void }

export const createLedgerNotifier = (): LedgerNotifier => {
  const subscribers = new Map<string, Set<LedgerSubscriber>>()
  let isClosed = false
  return {
    notify(organisationId) {
      const subscribed = subscribers.get(organisationId)
      if (subscribed !== undefined) for (const { onNotify } of subscribed) onNotify()
    },
    subscribe(organisationId, subscriber) {
      const subscribed = subscribers.get(organisationId) ?? new Set()
      subscribers.set(organisationId, subscribed.add(subscriber))
      if (isClosed) subscriber.onClose()
      return () => {
        subscribed.delete(subscriber)
        if (subscribed.size === 0 && subscribers.get(organisationId) === subscribed) subscribers.delete(organisationId)
      }
    },
    close() {
      isClosed = true
      for (const subscribed of subscribers.values()) for (const { onClose } of subscribed) onClose()
    },
  }
}
