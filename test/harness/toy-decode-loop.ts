import type { SampledAnswer } from '../../src/engine/embedded/answer.ts'
import { type DecodeEvent, DecodeLoop } from '../../src/engine/embedded/decoding/decode-loop.ts'
import type { PromptScorer } from '../../src/engine/embedded/decoding/prompt-scorer.ts'
import { createToyLlama } from './toy-llama.ts'

const batchTokens = 512
export const numbers = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)
/** Says the sum of the context, modulo ten: any wrong token in memory shows. */
export const sumModel = (context: readonly number[]) => {
  const sum = context.reduce((total, id) => (total * 7 + id) % 10, 0)
  return numbers(10).map((id) => (id === sum ? 1 : 0))
}
export const expectedAnswer = (prompt: readonly number[], length: number): number[] => {
  const context = [...prompt]
  for (let said = 0; said < length; said += 1) context.push(sumModel(context).indexOf(1))
  return context.slice(prompt.length)
}
export const answerOf = (length: number): SampledAnswer => {
  let said = 0
  return {
    isEmpty: false,
    next(logits) {
      said += 1
      return { token: { id: logits.indexOf(1) }, end: said === length ? 'length' : null }
    },
    resume() {
      throw new Error('nothing is paused')
    },
  }
}

type LoopOptions = { speculates?: boolean; model?: typeof sumModel; emitIntervalMs?: number; savedLimitBytes?: number }

export const createLoop = (sequences: number, options: LoopOptions = {}) => {
  const { speculates = false, model = sumModel, emitIntervalMs = 0, savedLimitBytes = 1e6 } = options
  const llama = createToyLlama(sequences, model)
  const steps: DecodeEvent[][] = []
  const ended = new Map<number, PromiseWithResolvers<void>>()
  const endOf = (id: number) => {
    const known = ended.get(id) ?? Promise.withResolvers<void>()
    ended.set(id, known)
    return known
  }
  const emit = (events: DecodeEvent[]) => {
    steps.push(events)
    for (const event of events)
      if (event.type === 'failed' || (event.type === 'step' && event.step.end !== null)) endOf(event.id).resolve()
  }
  const loop = new DecodeLoop({
    ...{ llama, speculates, batchTokens, savedLimitBytes, emitIntervalMs, emit },
    ...{ threads: 1, nowMs: () => 0, cpuMs: () => 0 },
  })
  const eventsOf = (id: number) => steps.flat().filter((event) => event.id === id)
  const tokensOf = (id: number) =>
    eventsOf(id).flatMap((event) => (event.type === 'step' ? (event.step.token?.id ?? []) : []))
  const cachedOf = (id: number) => eventsOf(id).flatMap((event) => (event.type === 'step' ? event.cachedTokens : []))[0]
  const addAnswer = (id: number, prompt: number[], answer: SampledAnswer, scope = 'a', scorer?: PromptScorer) => {
    loop.add({ id, prompt, answer, scope, ...(scorer === undefined ? {} : { scorer }) })
    return endOf(id).promise
  }
  const add = (id: number, prompt: number[], length: number, scope = 'a') =>
    addAnswer(id, prompt, answerOf(length), scope)
  return { loop, llama, steps, add, addAnswer, tokensOf, cachedOf, eventsOf }
}

/** Repeats its context from a place that depends on it, with an exception now and then. */
export const repeatingModel = (context: readonly number[]) => {
  const said = context.length % 23 === 0 ? 9 : (context.at(-7) ?? 3)
  return numbers(10).map((id) => (id === said ? 1 : 0))
}
export const repeated = (prompt: readonly number[], length: number): number[] => {
  const context = [...prompt]
  for (let said = 0; said < length; said += 1) context.push(repeatingModel(context).indexOf(1))
  return context.slice(prompt.length)
}
