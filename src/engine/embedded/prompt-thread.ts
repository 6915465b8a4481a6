import { type JobResult, serveJobs } from '../../base/serve-jobs.ts'
import type { Conversation, TokenTexts } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import { embeddedFeatures } from './embedded-features.ts'
import { bindVocabularyApi, type LibrarySource } from './llama/llama-api.ts'
import { openVocabulary } from './llama/open-vocabulary.ts'
import type { Vocabulary } from './llama/vocabulary.ts'
import { maxTokenWords } from './max-token-words.ts'
import { createPromptPreparation, type PreparedTokens, templateTokens } from './prompt-preparation.ts'
import { showsTexts } from './shows-texts.ts'
import { createChatTemplate } from './template.ts'

/** The model as far as prompts need it. */
export type PromptModel = {
  source: LibrarySource
  /** Address of the loaded vocabulary, which all threads of the process read. */
  vocab: bigint
  chatTemplate: string
  contextTokens: number
}
export type PromptJob =
  | { type: 'start' }
  | { type: 'check'; model: PromptModel }
  | { type: 'prepare'; model: PromptModel; conversation: Conversation }
  | { type: 'detokenise'; model: PromptModel; ids: Uint32Array }
export type PromptOutcome =
  | PreparedTokens
  | ({ type: 'detokenised' } & TokenTexts)
  /** `maxTokenWords`: of a checked model whose template shows all that it has to show. */
  | { type: 'ready'; maxTokenWords?: number }
  | { type: 'model_refused'; reason: string }

type Opened = {
  vocab: bigint
  vocabulary: Vocabulary & { size: number }
  prepare: ReturnType<typeof createPromptPreparation>
}
let opened: Opened | undefined

const openModel = ({ source, vocab, chatTemplate, contextTokens }: PromptModel): Opened => {
  if (opened?.vocab !== vocab) {
    const vocabulary = openVocabulary(bindVocabularyApi(source), vocab)
    const prepare = createPromptPreparation({ vocabulary, chatTemplate, contextTokens })
    opened = { vocab, vocabulary, prepare }
  }
  return opened
}

const checkedModel = ({ chatTemplate }: PromptModel, vocabulary: Opened['vocabulary']): PromptOutcome => {
  const render = createChatTemplate(chatTemplate, templateTokens(vocabulary))
  const hasTools = embeddedFeatures(chatTemplate).includes('tools')
  return { type: 'ready', ...(showsTexts(render, hasTools) ? { maxTokenWords: maxTokenWords(vocabulary) } : {}) }
}

const tokenTexts = (ids: Uint32Array, vocabulary: Vocabulary): TokenTexts => ({
  text: vocabulary.detokenise(Array.from(ids), { special: true }),
  spellings: Array.from(ids, (id) => vocabulary.entry(id) ?? ''),
})

const runJob = (job: PromptJob): PromptOutcome => {
  if (job.type === 'start') return { type: 'ready' }
  try {
    const { prepare, vocabulary } = openModel(job.model)
    if (job.type === 'detokenise') return { type: 'detokenised', ...tokenTexts(job.ids, vocabulary) }
    return job.type === 'check' ? checkedModel(job.model, vocabulary) : prepare(job.conversation)
  } catch (error) {
    if (error instanceof ModelRefused) return { type: 'model_refused', reason: error.message }
    throw error
  }
}

/** The thread of `prompt-preparer.ts`. */
serveJobs((job: PromptJob): JobResult<PromptOutcome> => {
  const value = runJob(job)
  return value.type === 'prepared' ? { value, transfer: [value.tokens.buffer] } : { value }
})
