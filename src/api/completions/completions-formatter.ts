import { contentLogprobJson, fingerprintOf, usageJson } from '../chat-completions/shapes.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { legacyLogprobs } from './legacy-logprobs.ts'
import type { CompletionsRequest } from './request/read-completions-request.ts'

/** Writes an answer as text completions, whole or in pieces: both have the same shape. */
export const openCompletionsFormatter = (
  { echoes, n, includeUsage, sampling }: Pick<CompletionsRequest, 'echoes' | 'n' | 'includeUsage' | 'sampling'>,
  answer: FormattedAnswer,
): AnswerFormatter => {
  const { id, createdAt, model } = answer
  const head = {
    id,
    object: 'text_completion' as const,
    created: Math.floor(createdAt / 1000),
    model: model.id,
    system_fingerprint: fingerprintOf(model),
  }
  const echoOf = (choice: number): string => echoes[Math.floor(choice / (n / echoes.length))] ?? ''
  const hasLogprobs = sampling.topLogprobs !== null
  /** How much of the text of each choice was sent. */
  const lengths = new Map<number, number>()
  const begin = (choice: number): string => {
    if (lengths.has(choice)) return ''
    lengths.set(choice, 0)
    return echoOf(choice)
  }
  const chunk = (choices: readonly object[], usage: object | null): string =>
    JSON.stringify({ ...head, choices, ...(includeUsage ? { usage } : {}) })
  return {
    events([index, event]) {
      if (event.type !== 'content') return []
      const text = begin(index) + event.text
      const offset = lengths.get(index) ?? 0
      lengths.set(index, offset + text.length)
      const logprobs = hasLogprobs ? legacyLogprobs(event.tokens.map(contentLogprobJson), offset) : null
      return chunk([{ index, text, logprobs, finish_reason: null }], null)
    },
    lastEvents(finishes) {
      const events = finishes.map(([index, event]) => {
        const reason = event.type === 'finish' ? event.reason : 'stop'
        return chunk([{ index, text: begin(index), logprobs: null, finish_reason: reason }], null)
      })
      return includeUsage ? [...events, chunk([], usageJson(answer.usage()))] : events
    },
    document: (choices) => ({
      ...head,
      choices: choices.map(({ index, message, logprobs, finish_reason }) => ({
        index,
        text: echoOf(index) + (message.content ?? ''),
        logprobs: logprobs === null ? null : legacyLogprobs(logprobs.content, echoOf(index).length),
        finish_reason,
      })),
      usage: usageJson(answer.usage()),
    }),
    isStored: false,
  }
}
