/**
 * Models of about 100 KB with random weights, for tests: they load and run like real ones, in milliseconds. They are
 * written when needed and not kept in the repository.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatModel } from './chat-model.ts'
import { embeddingModel } from './embedding-model.ts'
import { type GgufContents, ggufBytes } from './gguf-bytes.ts'
import { loopingTemplate } from './looping-template.ts'

const pairTemplate = '[CLS]the query is {query}[SEP]the document is {document}[SEP]'

export const tinyModels = {
  /** Answers chat completions. */
  'tiny-chat': () => chatModel({ name: 'tiny-chat', seed: 1 }),
  /** Its template goes on almost for ever if the first message is the name of one of `templateLoops`. */
  'tiny-looping-template': () => chatModel({ name: 'tiny-looping-template', seed: 5, chatTemplate: loopingTemplate }),
  /** Creates embeddings of 32 numbers from at most 256 tokens. */
  'tiny-embedding': () => embeddingModel({ name: 'tiny-embedding', seed: 2 }),
  /** The same with weights of 8 bits, and a vocabulary of many tokens. */
  'tiny-quantised-embedding': () =>
    embeddingModel({ name: 'tiny-quantised-embedding', seed: 2, isQuantised: true, unusedTokens: 12_000 }),
  /** Scores pairs of a query and a document, of at most 256 tokens together. */
  'tiny-reranker': () => embeddingModel({ name: 'tiny-reranker', seed: 6, isReranker: true }),
  /** The same with a template for pairs. */
  'tiny-template-reranker': () =>
    embeddingModel({ name: 'tiny-template-reranker', seed: 6, isReranker: true, pairTemplate }),
  /** A language model without a chat template. */
  'tiny-no-template': () => chatModel({ name: 'tiny-no-template', seed: 3, chatTemplate: null }),
  /** An architecture that llama.cpp does not know. */
  'tiny-unknown-architecture': () =>
    chatModel({ name: 'tiny-unknown-architecture', seed: 4, architecture: 'unheard-of' }),
} satisfies Record<string, () => GgufContents>
export type TinyModelName = keyof typeof tinyModels

/** Writes the model's GGUF file into a folder and returns its path. */
export const writeTinyModel = (folder: string, name: TinyModelName): string => {
  const path = join(folder, `${name}.gguf`)
  writeFileSync(path, ggufBytes(tinyModels[name]()))
  return path
}
