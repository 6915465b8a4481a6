import { isRecord } from '../base/is-record.ts'
import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import { chatPath, modelPath } from '../engine/remote/upstream-request.ts'
import { callUpstream } from './call-upstream.ts'
import type { Upstream } from './contract.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

type Question = {
  /** Its name at the upstream. */
  model: string
  prompt: string
  maxTokens: number
  temperature?: number
  timeoutMs: number
  signal?: AbortSignal
}
type Answer = { text: string; problem: null } | { text: null; problem: UpstreamProblem }

/** One short question of the server's own to a model that generates text. The answer has its reasoning, which may be all that fits. */
export const askOnce = async (
  upstream: Upstream,
  { model, prompt, maxTokens, temperature, timeoutMs, signal }: Question,
): Promise<Answer> => {
  const { kind } = upstream
  const body = {
    model,
    messages: [{ role: 'user', content: prompt }],
    ...(temperature === undefined ? {} : { temperature }),
    [upstreamDialects[kind].maxTokens]: maxTokens,
  }
  const path = modelPath(upstream, model, chatPath(kind))
  const call = { method: 'POST', path, body, timeoutMs, ...(signal === undefined ? {} : { signal }) } as const
  const { json, problem } = await callUpstream(upstream, call)
  if (problem !== null) return { text: null, problem }
  const text = upstreamDialects[kind].wire === 'messages' ? messageText(json) : completionText(json)
  return text === null
    ? { text, problem: { fault: 'bad_answer', reason: `The answer of ${model} is not a chat completion.` } }
    : { text, problem: null }
}

/** Of the first choice; null if it is no chat completion. */
const completionText = (json: unknown): string | null => {
  const choices = isRecord(json) ? json.choices : null
  if (!Array.isArray(choices)) return null
  const choice: unknown = choices[0]
  const message = isRecord(choice) ? choice.message : null
  if (!isRecord(message)) return ''
  const { content, reasoning_content: thought, reasoning } = message
  return [thought, reasoning, content].filter((part) => typeof part === 'string').join('\n')
}

/** Null if it is no message. */
const messageText = (json: unknown): string | null => {
  if (!isRecord(json) || !Array.isArray(json.content)) return null
  const texts = json.content.flatMap((block: unknown) => (isRecord(block) ? [block.thinking, block.text] : []))
  return texts.filter((text) => typeof text === 'string').join('\n')
}
