type Listener = (text: string) => void

/** The listeners of each channel, across reconnections. */
export const createSubscriptions = () => {
  const channels = new Map<string, { listeners: Set<Listener>; deliver: Listener }>()
  return {
    add(channel: string, listener: Listener) {
      const known = channels.get(channel)
      const entry = known ?? createChannel()
      channels.set(channel, entry)
      entry.listeners.add(listener)
      return {
        isFirst: known === undefined,
        deliver: entry.deliver,
        /** Whether nobody listens to the channel any more. */
        remove(): boolean {
          entry.listeners.delete(listener)
          if (entry.listeners.size > 0 || channels.get(channel) !== entry) return false
          channels.delete(channel)
          return true
        },
      }
    },
    all: (): [channel: string, deliver: Listener][] =>
      [...channels].map(([channel, { deliver }]) => [channel, deliver]),
  }
}

const createChannel = () => {
  const listeners = new Set<Listener>()
  const deliver = (text: string): void => {
    for (const listener of [...listeners]) listener(text)
  }
  return { listeners, deliver }
}
