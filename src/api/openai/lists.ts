import { ApiError } from '../../base/api-error.ts'
import { integerText } from '../../http/read-query.ts'
import { optional, record } from '../../http/schema/containers.ts'
import { oneOf, shorten, string } from '../../http/schema/scalars.ts'
import type { Schema } from '../../http/schema/schema.ts'
import type { Metadata } from '../../store/contract.ts'

/** What the lists of OpenAI's APIs, and the objects in them, have in common. */
export const listJson = <Item extends { id: string }>(data: readonly Item[], hasMore: boolean) => ({
  object: 'list' as const,
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
})

/** The query parameters of every list. */
export const pageFields = {
  after: optional(string()),
  limit: optional(integerText({ min: 1, max: 100 })),
  order: optional(oneOf('asc', 'desc')),
}

export const defaultLimit = 20

export const unknownCursor = (after: string): ApiError =>
  ApiError.of(
    'refused_value',
    { path: 'after', reason: `no item found with ID '${shorten(after)}'` },
    { param: 'after' },
  )

/** Labels on a stored object: a few short pairs of strings. */
export const metadata: Schema<Metadata> = record(string({ maxLength: 512 }), { maxEntries: 16, maxKeyLength: 64 })
