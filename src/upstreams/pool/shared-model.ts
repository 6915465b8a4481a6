import type { ServedModel } from '../../engine/contract.ts'
import { defaultImageTokens } from '../../engine/media-tokens.ts'

/**
 * A model of a pool: it can do what at least one of its upstreams can, and `alternatives` says which of them can do what. There
 * is at least one.
 */
export const sharedModel = (models: readonly ServedModel[]): ServedModel => {
  const [first] = models
  if (first === undefined) throw new Error('a pool has at least one upstream')
  const alternatives = [...new Map(models.map((model) => [capabilitiesText(model), model])).values()]
  const acceptedFields = union(models.map((model) => model.acceptedFields ?? null))
  const builtInTools = models.flatMap((model) => model.builtInTools ?? [])
  const contexts = models.map(({ contextTokens }) => contextTokens).filter((tokens) => tokens !== null)
  const imageTokens = models.map((model) => model.imageTokens ?? defaultImageTokens)
  const seeing = models.filter((model) => model.features?.has('vision'))
  return {
    ...first,
    acceptsImageUrls: seeing.length > 0 && seeing.every((model) => model.acceptsImageUrls),
    imageTokens: Math.max(...imageTokens),
    contextTokens: contexts.length === 0 ? null : Math.min(...contexts),
    features: union(models.map((model) => model.features)),
    ...(acceptedFields === null ? {} : { acceptedFields }),
    ...(builtInTools.length > 0 ? { builtInTools: builtInTools.reduce((all, set) => all.union(set)) } : {}),
    ...(alternatives.length > 1 ? { alternatives } : {}),
  }
}

const capabilitiesText = ({ features, acceptedFields, builtInTools }: ServedModel): string =>
  JSON.stringify([features, acceptedFields, builtInTools].map((set) => (set ? [...set].sort() : null)))

/** Null if one of them is not known. */
const union = <Item>(sets: readonly (ReadonlySet<Item> | null)[]): ReadonlySet<Item> | null =>
  sets.reduce((all, set) => (all === null || set === null ? null : all.union(set)))
