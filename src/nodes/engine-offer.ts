import { parseJsonText } from '../base/parse-json-text.ts'

/** What an engine node offers to the other nodes. */
export type EngineOffer = {
  /** The address by which other nodes reach it, without a path. */
  url: string
  /** How many answers it generates at once, of all models together. */
  slots: number
  /** It is stopping: it gets no new requests. */
  isDraining: boolean
  models: readonly OfferedModel[]
  /** A separate list, so that servers of earlier versions send no chats to these models. */
  embeddingModels?: readonly OfferedEmbeddingModel[]
  /** Likewise. */
  rerankModels?: readonly OfferedModel[]
}

/** Nodes of earlier versions send no `weightsId`. */
type OfferedModel = { name: string; aliases: readonly string[]; contextTokens: number | null; weightsId?: string }

/** `vectorLength`: null until it was loaded once. */
type OfferedEmbeddingModel = OfferedModel & { vectorLength: number | null }

const maxModels = 500
const maxSlots = 10_000

/** Null if there is none, or if it is from another version and cannot be read. */
export const readEngineOffer = (text: string | null): EngineOffer | null => {
  if (text === null) return null
  const value = parseJsonText(text)
  return isOffer(value) ? value : null
}

const isOffer = (value: unknown): value is EngineOffer => {
  if (!isRecord(value)) return false
  const { url, slots, isDraining, models, embeddingModels = [], rerankModels = [] } = value
  return (
    typeof url === 'string' &&
    URL.parse(url)?.protocol === 'https:' &&
    isCount(slots) &&
    slots <= maxSlots &&
    typeof isDraining === 'boolean' &&
    Array.isArray(models) &&
    Array.isArray(embeddingModels) &&
    Array.isArray(rerankModels) &&
    models.length + embeddingModels.length + rerankModels.length <= maxModels &&
    models.every(isModel) &&
    embeddingModels.every(isEmbeddingModel) &&
    rerankModels.every(isModel)
  )
}

const isModel = (value: unknown): value is OfferedModel => {
  if (!isRecord(value)) return false
  const { name, aliases, contextTokens, weightsId } = value
  return (
    isName(name) &&
    Array.isArray(aliases) &&
    aliases.every(isName) &&
    (contextTokens === null || isCount(contextTokens)) &&
    (weightsId === undefined || isName(weightsId))
  )
}

const isEmbeddingModel = (value: unknown): value is OfferedEmbeddingModel =>
  isModel(value) && 'vectorLength' in value && (value.vectorLength === null || isCount(value.vectorLength))

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
