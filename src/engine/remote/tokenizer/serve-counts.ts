import { serveJobs } from '../../../base/serve-jobs.ts'
import type { Conversation } from '../../contract.ts'
import { countPrompt } from './count-prompt.ts'
import { type LoadedTokenizer, TokenizerRefused } from './loaded-tokenizer.ts'

export type CountJob =
  | { type: 'check'; path: string }
  | { type: 'prompt'; path: string; conversation: Conversation }
  | { type: 'texts'; path: string; texts: readonly string[] }
export type CountOutcome = { type: 'counted'; tokens: number } | { type: 'refused'; reason: string }

/** A large vocabulary takes about 300 MB. */
const maxTokenizers = 3

/** The threads and processes of `token-counters.ts`: keep a few tokenizers in memory and count with them. */
export const serveCounts = (load: (path: string) => Promise<LoadedTokenizer>): void => {
  const loaded = new Map<string, LoadedTokenizer>()
  const drop = (path: string): void => {
    loaded.get(path)?.close()
    loaded.delete(path)
  }
  /** The least recently used is dropped. */
  const findTokenizer = async (path: string): Promise<LoadedTokenizer> => {
    const tokenizer = loaded.get(path) ?? (await load(path))
    loaded.delete(path)
    loaded.set(path, tokenizer)
    for (const oldest of loaded.keys()) if (loaded.size > maxTokenizers) drop(oldest)
    return tokenizer
  }
  serveJobs(async (job: CountJob): Promise<{ value: CountOutcome }> => {
    try {
      if (job.type === 'check') drop(job.path)
      return { value: { type: 'counted', tokens: countTokens(job, await findTokenizer(job.path)) } }
    } catch (error) {
      if (error instanceof TokenizerRefused) return { value: { type: 'refused', reason: error.message } }
      throw error
    }
  })
}

const countTokens = (job: CountJob, tokenizer: LoadedTokenizer): number => {
  if (job.type === 'check') return 0
  if (job.type === 'prompt') return countPrompt(tokenizer, job.conversation)
  return job.texts.reduce((sum, text) => sum + tokenizer.count(text), 0)
}
