import type { FullSampling } from '../sampling.ts'
import type { Sequence } from './llama.ts'

type AnswerStep = { type: 'token'; id: number } | { type: 'end'; reason: 'stop' | 'length' }
type AnswerOptions = {
  sequence: Sequence
  prompt: readonly number[]
  sampling: FullSampling
  /** Prompt and answer together stay within it. */
  contextTokens: number
  endsGeneration: (id: number) => boolean
  signal: AbortSignal
}

/** So many tokens of a prompt are read in one step: a cancelled one stops soon, and answers beside it keep flowing. */
export const readStepTokens = 64

/** One answer on one sequence. An abort ends it after the step it is in. */
export async function* answer(options: AnswerOptions): AsyncGenerator<AnswerStep, void> {
  const { sequence, prompt, sampling, signal } = options
  const limit = Math.min(sampling.maxTokens, options.contextTokens - prompt.length)
  await sequence.clear()
  let read = 0
  for (; prompt.length - read > readStepTokens; read += readStepTokens) {
    signal.throwIfAborted()
    await sequence.read(prompt.slice(read, read + readStepTokens))
  }
  signal.throwIfAborted()
  let given = 0
  for await (const id of sequence.continue(prompt.slice(read), sampling)) {
    signal.throwIfAborted()
    if (options.endsGeneration(id)) {
      yield { type: 'end', reason: 'stop' }
      return
    }
    yield { type: 'token', id }
    given += 1
    if (given >= limit) {
      yield { type: 'end', reason: 'length' }
      return
    }
  }
  throw new Error('llama.cpp stopped without an end token')
}
