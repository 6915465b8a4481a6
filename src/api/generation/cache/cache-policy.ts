import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../base/api-error.ts'
import type { CompletionCaller } from '../completion-caller.ts'
import type { GenerationRequest } from '../request/generation-request.ts'

/** Which answers the operator has cached: of these models, or of these API keys. */
export type CachePolicy = { models: readonly string[]; keys: readonly string[] }

/** What the header `x-helix-cache` asks for; null without it. */
export type CacheWish = 'on' | 'off' | null

export const isCaching = ({ models, keys }: CachePolicy): boolean => models.length + keys.length > 0

/** Whether an answer to this caller may be cached, before its body is read. */
export const mayCache = (
  { models, keys }: CachePolicy,
  { key }: Pick<CompletionCaller, 'key'>,
  wish: CacheWish,
): boolean => key !== null && wish !== 'off' && (models.length > 0 || keys.includes(key.id))

type CacheableRequest = Pick<GenerationRequest, 'model' | 'sampling' | 'store' | 'bodyHash'>

/** The same question is answered in the same way, or the caller says that it does not mind. Stored answers have an id of their own. */
export const isCacheable = (
  policy: CachePolicy,
  { model, sampling, store, bodyHash }: CacheableRequest,
  caller: Pick<CompletionCaller, 'key'>,
  wish: CacheWish,
): boolean => {
  if (bodyHash === null || store) return false
  return isToBeCached(policy, { model, temperature: sampling.temperature }, caller, wish)
}

/** The same, as far as it is known in a worker. */
export const isToBeCached = (
  policy: CachePolicy,
  { model, temperature }: { model: string; temperature: number | null },
  caller: Pick<CompletionCaller, 'key'>,
  wish: CacheWish,
): boolean => {
  if (!mayCache(policy, caller, wish)) return false
  const isWanted = wish === 'on' || temperature === 0
  const { models, keys } = policy
  return isWanted && (models.includes('*') || models.includes(model) || keys.includes(caller.key?.id ?? ''))
}

/** In any case of letters. Throws if the header has another value. */
export const readCacheWish = (headers: IncomingHttpHeaders): CacheWish => {
  const { 'x-helix-cache': value } = headers
  if (value === undefined) return null
  const wish = String(value).toLowerCase()
  if (wish === 'on' || wish === 'off') return wish
  throw ApiError.of('invalid_cache_header', {})
}
