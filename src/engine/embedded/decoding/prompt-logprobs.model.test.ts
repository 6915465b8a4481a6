import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import type { PromptToken } from '../../contract.ts'
import { readModel } from '../../model-folder.ts'
import { fillSampling } from '../../sampling.ts'
import { createAnswer } from '../answer.ts'
import { type Llama, openLlama } from '../llama/open-llama.ts'
import { createAnswerConstraint } from '../sampling/answer-constraint.ts'
import { DecodeLoop } from './decode-loop.ts'
import { createPromptScorer } from './prompt-scorer.ts'

const contextTokens = 512
const defaults = { temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }
const plain = { gpu: false, cacheType: 'f16', flashAttention: 'auto' } as const
const tokenBytes = () => Buffer.of()
let llama: Llama
beforeAll(async () => {
  const { weightsPath } = await readModel(fileURLToPath(new URL('../../../../models/helix-v1', import.meta.url)))
  llama = await openLlama({ weightsPath, contextTokens, slots: 2, threads: 1, ...plain }, () => {})
})
afterAll(() => llama?.close())

/** What llama.cpp computes when it is given the prompt in one batch, with a sum in double precision. */
const reference = async (prompt: readonly number[]): Promise<number[]> => {
  const found: number[] = []
  const slice = { sequence: 0, position: 0, tokens: prompt, isSampled: true, isScored: true }
  await llama.decode([slice], (_, logits) => {
    for (const [index, id] of prompt.slice(1).entries()) {
      const all = logits(index)
      const best = all.reduce((one, other) => Math.max(one, other))
      const sum = all.reduce((total, logit) => total + Math.exp(logit - best), 0)
      found.push((all[id] ?? 0) - best - Math.log(sum))
    }
  })
  llama.keep(0, 0)
  return found
}

/** The same from the loop. */
const scored = async (prompt: readonly number[]): Promise<PromptToken[]> => {
  const found: PromptToken[] = []
  const ended = Promise.withResolvers<void>()
  const loop = new DecodeLoop({
    ...{ llama, speculates: false, batchTokens: llama.batchTokens, savedLimitBytes: 0 },
    ...{ threads: 1, nowMs: () => performance.now(), cpuMs: () => 0 },
    emit(events) {
      for (const event of events) {
        if (event.type === 'failed') ended.reject(event.error)
        else if (event.type === 'prompt') found.push(...event.tokens)
        else if (event.step.end !== null) ended.resolve()
      }
    },
  })
  const sampling = fillSampling({ ...openSampling, maxTokens: 0, promptLogprobs: 1 }, defaults, contextTokens)
  const constraint = createAnswerConstraint(sampling, tokenBytes)
  const { endsGeneration } = llama.vocabulary
  const answer = createAnswer({ prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration })
  loop.add({ id: 1, prompt, answer, scope: 'a', scorer: createPromptScorer(prompt, { top: 1, spelling: tokenBytes }) })
  await ended.promise
  llama.keep(0, 0)
  llama.keep(1, 0)
  return found
}

test.each([
  ['a short text', 'The capital of France is Paris.'],
  ['a text of several blocks', 'Once upon a time there was a king who had three daughters and 17 horses. '.repeat(14)],
])('the log probabilities of %s are those of llama.cpp', async (_, text) => {
  const prompt = llama.vocabulary.tokenise(text, { special: false, continued: false })
  const expected = await reference(prompt)
  const found = await scored(prompt)
  expect(found.map(({ id }) => id)).toEqual(prompt)
  const logprobs = found.slice(1).map(({ logprob }) => logprob?.logprob ?? Number.NaN)
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  const apart = logprobs.map((logprob, index) => Math.abs(logprob - (expected[index] ?? 0)))
  expect(Math.max(...apart)).toBeLessThan(1e-4)
  expect(Math.abs(sum(logprobs) - sum(expected))).toBeLessThan(1e-3)
})
