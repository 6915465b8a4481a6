import type { ServedModel } from '../../engine/contract.ts'
import { defaultImageTokens } from '../../engine/media-tokens.ts'

/**
 * What all upstreams of a pool can do: a request that is accepted can be answered by any of them, so only features that all
 * have are offered. There is at least one.
 */
export const sharedModel = (models: readonly ServedModel[]): ServedModel => {
  const [first] = models
  if (first === undefined) throw new Error('a pool has at least one upstream')
  const features = common(models.map((model) => model.features))
  const acceptedFields = common(models.map((model) => model.acceptedFields ?? null))
  const contexts = models.map(({ contextTokens }) => contextTokens).filter((tokens) => tokens !== null)
  const imageTokens = models.map((model) => model.imageTokens ?? defaultImageTokens)
  return {
    ...first,
    acceptsImageUrls: models.every((model) => model.acceptsImageUrls),
    imageTokens: Math.max(...imageTokens),
    contextTokens: contexts.length === 0 ? null : Math.min(...contexts),
    features,
    ...(acceptedFields === null ? {} : { acceptedFields }),
  }
}

/** Null if one of them is not known. */
const common = <Item>(sets: readonly (ReadonlySet<Item> | null)[]): ReadonlySet<Item> | null =>
  sets.reduce((shared, set) => (shared === null || set === null ? null : shared.intersection(set)))
