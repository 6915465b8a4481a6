import { hash } from 'node:crypto'
import type { Conversation } from '../../engine/contract.ts'
import { promptPrefixes } from '../../engine/remote/prompt-prefixes.ts'

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

/**
 * The prefixes that a prompt may share with earlier ones, longest first. Only within one scope, so that the time to the first
 * token says nothing about the prompts of others.
 */
export const computePrefixKeys = (conversation: Conversation): string[] => {
  const { written, cacheScope } = conversation
  const prefixes = written?.prefixes ?? promptPrefixes(conversation)
  return prefixes.map(({ kind, text, length }) => hash('sha1', `${kind}\n${cacheScope}\n${length}\n${text}`, 'base64'))
}
