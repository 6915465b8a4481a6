import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readGguf } from '../../../gguf/read-gguf.ts'
import { findTokenTable, writeWithoutVocabulary } from '../../../gguf/write-without-vocabulary.ts'
import type { LlamaApi, Pointer } from '../llama/llama-api.ts'
import type { LogLine } from '../llama/open-llama.ts'
import { type OpenTokenTable, openTokenTable } from './token-table.ts'

/** `model` computes, and `vocabulary` tokenises: two models of llama.cpp if there is a table, otherwise the same one. */
export type EmbedderWeights = { model: Pointer; vocabulary: Pointer; table: OpenTokenTable | null }
type ModelParams = ReturnType<LlamaApi['llama_model_default_params']>

/** Architectures that take the vectors of tokens as they are. llama.cpp scales those of others unless it looks them up itself. */
const plainEncoders: ReadonlySet<unknown> = new Set([
  ...['bert', 'modern-bert', 'nomic-bert', 'nomic-bert-moe', 'neo-bert', 'jina-bert-v2', 'jina-bert-v3', 'eurobert'],
])
const loadIntoMemory = 0

/**
 * llama.cpp reserves a row of logits, as long as the vocabulary, for every token of a batch, although encoders have none: for
 * 512 tokens of a multilingual vocabulary, half a gigabyte. So an encoder is loaded as a model with a vocabulary of one token, and
 * the vectors of its tokens are looked up here.
 */
export const loadEmbedderWeights = async (
  api: LlamaApi,
  weightsPath: string,
  params: ModelParams,
  log: LogLine,
): Promise<EmbedderWeights | null> => {
  const load = (path: string, own: Partial<ModelParams> = {}): Promise<Pointer> =>
    api.llama_model_load_from_file.inBackground(path, { ...params, ...own })
  const encoder = await loadWithoutVocabulary(weightsPath, (path) => load(path, { load_mode: loadIntoMemory }), log)
  if (encoder !== null) {
    const vocabulary = await load(weightsPath, { vocab_only: true })
    if (vocabulary !== null)
      return { model: encoder.model, vocabulary, table: openTokenTable(api, weightsPath, encoder.table) }
    api.llama_model_free(encoder.model)
  }
  const model = await load(weightsPath)
  return model === null ? null : { model, vocabulary: model, table: null }
}

const loadWithoutVocabulary = async (weightsPath: string, load: (path: string) => Promise<Pointer>, log: LogLine) => {
  const file = await readGguf(weightsPath)
  const table = findTokenTable(file)
  const isWhole = Number(file.metadata.get('split.count') ?? 1) <= 1
  if (table === null || !isWhole || !plainEncoders.has(file.metadata.get('general.architecture'))) return null
  const folder = await mkdtemp(join(tmpdir(), 'helix-encoder-'))
  try {
    const to = join(folder, 'encoder.gguf')
    await writeWithoutVocabulary({ from: weightsPath, to }, file)
    const model = await load(to)
    return model === null ? null : { model, table }
  } catch (error) {
    // There may be no room for the copy. With the whole file the model only needs more memory.
    log('warn', `The model is loaded with its vocabulary, which takes more memory: ${String(error)}`)
    return null
  } finally {
    await rm(folder, { recursive: true })
  }
}
