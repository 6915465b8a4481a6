import type { TokenLogprob } from '../contract.ts'
import type { FullSampling } from '../sampling.ts'
import type { Sequence } from './llama.ts'
import { drawTokens } from './picking/draw-tokens.ts'
import type { Hold } from './picking/hold.ts'

type AnswerStep = { type: 'token'; id: number; logprob?: TokenLogprob } | { type: 'end'; reason: 'stop' | 'length' }
type AnswerOptions = {
  sequence: Sequence
  prompt: readonly number[]
  sampling: FullSampling
  hold: Hold
  /** Prompt and answer together stay within it. */
  contextTokens: number
  tokenBytes: (id: number) => Uint8Array
  endsGeneration: (id: number) => boolean
  signal: AbortSignal
}

/** So many tokens of a prompt are read in one step: a cancelled one stops soon, and answers beside it keep flowing. */
export const readStepTokens = 64

/** One answer on one sequence. An abort ends it after the step it is in. */
export async function* answer(options: AnswerOptions): AsyncGenerator<AnswerStep, void> {
  const { sequence, prompt, sampling, hold, signal, endsGeneration } = options
  const limit = Math.min(sampling.maxTokens, options.contextTokens - prompt.length)
  await sequence.clear()
  let read = 0
  for (; prompt.length - read > readStepTokens; read += readStepTokens) {
    signal.throwIfAborted()
    await sequence.read(prompt.slice(read, read + readStepTokens))
  }
  signal.throwIfAborted()
  const answered: number[] = []
  const drawn = drawTokens({ ...options, unread: prompt.slice(read), answered })
  if (!hold.mustEnd())
    for await (const { id, logprob } of drawn) {
      signal.throwIfAborted()
      if (endsGeneration(id) || sampling.stopIds.includes(id)) break
      answered.push(id)
      hold.take(id)
      yield logprob ? { type: 'token', id, logprob } : { type: 'token', id }
      if (hold.mustEnd()) break
      if (answered.length < limit) continue
      yield { type: 'end', reason: 'length' }
      return
    }
  yield { type: 'end', reason: 'stop' }
}
