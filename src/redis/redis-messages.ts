import { randomUUID } from 'node:crypto'
import type { Messages, Topic } from '../base/messages.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { Redis } from './redis.ts'

/** Limits the length of a message. */
const maxIds = 500

/** Messages between the nodes that share a Redis. Those that are published while it is away are lost. */
export const createRedisMessages = (redis: Pick<Redis, 'publish' | 'subscribe'>): Messages => {
  const own = randomUUID()
  const channelName = (topic: Topic): string => `messages:${topic}`
  return {
    publish(topic, ids) {
      for (let from = 0; from === 0 || from < ids.length; from += maxIds) {
        const text = JSON.stringify({ from: own, ids: ids.slice(from, from + maxIds) })
        redis.publish(channelName(topic), text).catch(() => {})
      }
    },
    subscribe: (topic, listener) =>
      redis.subscribe(channelName(topic), (text) => {
        const message = readMessage(text)
        if (message !== null && message.from !== own) listener(message.ids)
      }),
  }
}

/** Null if it is not one of ours. */
const readMessage = (text: string): { from: string; ids: string[] } | null => {
  try {
    const value = parseJsonText(text)
    if (typeof value !== 'object' || value === null || !('from' in value) || !('ids' in value)) return null
    const { from, ids } = value
    if (typeof from !== 'string' || !Array.isArray(ids)) return null
    return { from, ids: ids.filter((id) => typeof id === 'string') }
  } catch {
    return null
  }
}
