import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { callUpstream } from './call-upstream.ts'
import type { Upstream } from './contract.ts'
import { entryKind } from './entries-by-name.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

const timeoutMs = 30_000
const maxTokens = 8

/** Asks the first model of an upstream for a few tokens. Null: the answer is as it should be, or there is no canary. */
export const runCanary = async (upstream: Upstream, signal: AbortSignal): Promise<UpstreamProblem | null> => {
  const { canary, kind, models } = upstream
  const model = models.find((one) => entryKind({ model: one }) === 'chat')?.upstreamName
  if (canary === null || model === undefined) return null
  const body = {
    model,
    messages: [{ role: 'user', content: canary.prompt }],
    temperature: 0,
    [upstreamDialects[kind].maxTokens]: maxTokens,
  }
  const call = { method: 'POST', path: '/chat/completions', body, timeoutMs, signal } as const
  const { json, problem } = await callUpstream(upstream, call)
  if (problem !== null) return problem
  const text = answerIn(json)
  if (text === null) return { fault: 'bad_answer', reason: `The answer of ${model} is not a chat completion.` }
  if (canary.expect !== null && !text.toLowerCase().includes(canary.expect.toLowerCase()))
    return { fault: 'wrong_answer', reason: `The answer of ${model} to the canary does not contain the expected text.` }
  if (text.trim() === '') return { fault: 'wrong_answer', reason: `The answer of ${model} to the canary is empty.` }
  return null
}

/** One that is too busy is not wrong. */
export const passesCanary = async (upstream: Upstream, signal: AbortSignal): Promise<boolean> => {
  const problem = await runCanary(upstream, signal)
  return problem === null || problem.fault === 'busy'
}

/** The text of the first choice with its reasoning, which may be all that fits; null if it is no chat completion. */
const answerIn = (json: unknown): string | null => {
  const choices = isRecord(json) ? json.choices : null
  const choice: unknown = Array.isArray(choices) ? choices[0] : null
  const message = isRecord(choice) ? choice.message : null
  if (!isRecord(message)) return null
  const { content, reasoning_content: thought, reasoning } = message
  return [thought, reasoning, content].filter((part) => typeof part === 'string').join('\n')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
