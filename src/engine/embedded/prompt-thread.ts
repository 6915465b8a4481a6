import { type JobResult, serveJobs } from '../../base/serve-jobs.ts'
import type { Conversation } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import { bindVocabularyApi } from './llama/llama-api.ts'
import { openVocabulary } from './llama/open-vocabulary.ts'
import { createPromptPreparation, type PreparedTokens } from './prompt-preparation.ts'

/** The model as far as prompts need it. */
export type PromptModel = {
  gpu: boolean
  /** Address of the loaded vocabulary, which all threads of the process read. */
  vocab: bigint
  chatTemplate: string
  contextTokens: number
}
export type PromptJob =
  | { type: 'start' }
  | { type: 'check'; model: PromptModel }
  | { type: 'prepare'; model: PromptModel; conversation: Conversation }
export type PromptOutcome = PreparedTokens | { type: 'ready' } | { type: 'model_refused'; reason: string }

type Preparation = ReturnType<typeof createPromptPreparation>
let opened: { vocab: bigint; prepare: Preparation } | undefined

const preparationOf = ({ gpu, vocab, chatTemplate, contextTokens }: PromptModel): Preparation => {
  if (opened?.vocab !== vocab) {
    const vocabulary = openVocabulary(bindVocabularyApi(gpu), vocab)
    opened = { vocab, prepare: createPromptPreparation({ vocabulary, chatTemplate, contextTokens }) }
  }
  return opened.prepare
}

const outcomeOf = (job: PromptJob): PromptOutcome => {
  if (job.type === 'start') return { type: 'ready' }
  try {
    const prepare = preparationOf(job.model)
    return job.type === 'check' ? { type: 'ready' } : prepare(job.conversation)
  } catch (error) {
    if (error instanceof ModelRefused) return { type: 'model_refused', reason: error.message }
    throw error
  }
}

/** The thread of `prompt-preparer.ts`. */
serveJobs((job: PromptJob): JobResult<PromptOutcome> => {
  const value = outcomeOf(job)
  return value.type === 'prepared' ? { value, transfer: [value.tokens.buffer] } : { value }
})
