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
  const rawPromptFields = models.some((model) => model.rawPromptFields !== undefined)
    ? union(models.map((model) => model.rawPromptFields ?? model.acceptedFields ?? null))
    : null
  const builtInTools = models.flatMap((model) => model.builtInTools ?? [])
  const contexts = models.map(({ contextTokens }) => contextTokens).filter((tokens) => tokens !== null)
  const imageTokens = models.map((model) => model.imageTokens ?? defaultImageTokens)
  const weights = [...new Set(models.map(({ weightsId = '' }) => weightsId))].sort().join('+')
  const seeing = models.filter((model) => model.features?.has('vision'))
  return {
    ...first,
    leavesOutTopP: models.some((model) => model.leavesOutTopP),
    acceptsImageUrls: seeing.length > 0 && seeing.every((model) => model.acceptsImageUrls),
    imageTokens: Math.max(...imageTokens),
    upstreamNames: [...new Set(models.flatMap(({ upstreamNames = [] }) => upstreamNames))].sort(),
    ...(weights === '' ? {} : { weightsId: weights }),
    contextTokens: contexts.length === 0 ? null : Math.min(...contexts),
    features: union(models.map((model) => model.features)),
    ...(acceptedFields === null ? {} : { acceptedFields }),
    ...(rawPromptFields === null ? {} : { rawPromptFields }),
    ...(builtInTools.length > 0 ? { builtInTools: builtInTools.reduce((all, set) => all.union(set)) } : {}),
    ...(alternatives.length > 1 ? { alternatives } : {}),
  }
}

const capabilitiesText = ({ features, acceptedFields, rawPromptFields, builtInTools }: ServedModel): string =>
  JSON.stringify([features, acceptedFields, rawPromptFields, builtInTools].map((set) => (set ? [...set].sort() : null)))

/** Null if one of them is not known. */
const union = <Item>(sets: readonly (ReadonlySet<Item> | null)[]): ReadonlySet<Item> | null =>
  sets.reduce((all, set) => (all === null || set === null ? null : all.union(set)))
