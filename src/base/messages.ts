/** What changed. Depending on the topic, the ids are those of keys or organisations, or there are none. */
export type Topic =
  /** Keys or their owners changed. Ids of keys; none if only running requests have to be checked again. */
  | 'keys'
  /** The limits of these organisations. */
  | 'limits'
  /** The list of upstreams; names of those whose pause was ended. */
  | 'upstreams'
  /** What engine nodes offer. */
  | 'engines'
  /** Whether these organisations store bodies. */
  | 'bodies'
  /** The keys that encrypt secrets. */
  | 'secrets'
  /** Settings were saved in the console. */
  | 'settings'
  /** Requests of these organisations began or ended. */
  | 'ledger'

/**
 * Messages between the nodes that share a store. They only say what to read again: the change itself is in the store,
 * so a lost message only causes a delay. A node does not receive its own messages.
 */
export interface Messages {
  /** Neither waits nor fails. */
  publish(topic: Topic, ids: readonly string[]): void
  /** The returned function ends the subscription. */
  subscribe(topic: Topic, listener: (ids: readonly string[]) => void): () => void
}

/** Messages between parts of one process. A single server is alone in its own. */
export const createLocalMessages = () => {
  const listeners = new Set<{ topic: Topic; listener: (ids: readonly string[]) => void; member: symbol }>()
  return {
    join(): Messages {
      const member = Symbol('member')
      return {
        publish(topic, ids) {
          for (const other of [...listeners])
            if (other.topic === topic && other.member !== member) queueMicrotask(() => other.listener(ids))
        },
        subscribe(topic, listener) {
          const one = { topic, listener, member }
          listeners.add(one)
          return () => listeners.delete(one)
        },
      }
    },
  }
}
