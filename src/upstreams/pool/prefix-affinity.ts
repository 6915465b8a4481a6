import { hash } from 'node:crypto'
import type { ChatMessage, Conversation } from '../../engine/contract.ts'

/** Remembers which upstream last read a prompt with the same beginning, and so probably has it in its cache. */
export interface PrefixAffinity {
  /** The upstream of the longest known prefix that is allowed; null if there is none. */
  find(keys: readonly string[], isAllowed: (upstream: string) => boolean): string | null
  remember(keys: readonly string[], upstream: string): void
  readonly size: number
}

const maxKeys = 10_000

/** Forgets the keys that were not used for the longest time. */
export const createPrefixAffinity = (): PrefixAffinity => {
  const upstreams = new Map<string, string>()
  return {
    find(keys, isAllowed) {
      for (const key of keys) {
        const upstream = upstreams.get(key)
        if (upstream !== undefined && isAllowed(upstream)) return upstream
      }
      return null
    },
    remember(keys, upstream) {
      for (const key of keys) {
        upstreams.delete(key)
        upstreams.set(key, upstream)
      }
      for (const oldest of upstreams.keys()) {
        if (upstreams.size <= maxKeys) break
        upstreams.delete(oldest)
      }
    },
    get size() {
      return upstreams.size
    },
  }
}

/** Reading less than this again costs about as much as finding out where it was read. */
const leastCharacters = 1024
const maxHashedCharacters = 16_384

/**
 * The prefixes that a prompt may share with earlier ones, longest first: its conversation (everything up to the first
 * message of the user, which each further turn repeats) and its system prompt. Only within one scope, so that the time to
 * the first token says nothing about the prompts of others.
 */
export const prefixKeysOf = ({ messages, rawPrompt, tools, cacheScope }: Conversation): string[] => {
  let system = ''
  let index = 0
  for (let message = messages[index]; message?.role === 'system'; message = messages[index]) {
    system += `\n${message.content}`
    index += 1
  }
  const first = messages[index]
  const raw = typeof rawPrompt === 'string' ? `\n\n${rawPrompt}` : ''
  const beginning = first === undefined ? system + raw : `${system}\n\n${first.content}${mediaMark(first)}`
  const rest = messages.length - index > 2 ? (messages[index + 1]?.content.length ?? 0) : 0
  const keys: string[] = []
  if (beginning.length + rest >= leastCharacters) keys.push(keyOf('conversation', cacheScope, beginning))
  if (system.length >= leastCharacters) keys.push(keyOf(`system ${tools.length}`, cacheScope, system))
  return keys
}

const markCharacters = 512

/** Tells images and recordings apart by their end; their beginning is often the same. */
const mediaMark = ({ parts = [] }: ChatMessage): string =>
  parts
    .map((part) => {
      if (part.type === 'text') return ''
      const data = part.type === 'image' ? part.url : part.data
      return `\n${data.length} ${data.slice(-markCharacters)}`
    })
    .join('')

const keyOf = (kind: string, scope: string, text: string): string =>
  hash('sha1', `${kind}\n${scope}\n${text.length}\n${text.slice(0, maxHashedCharacters)}`, 'base64')
