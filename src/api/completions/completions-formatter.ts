import { joinParts } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { fingerprintOf, usageJson } from '../openai/answer-shapes.ts'
import { createLegacyLogprobs } from './legacy-logprobs.ts'
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
  const newLogprobs = (choice: number) =>
    sampling.topLogprobs === null ? () => null : createLegacyLogprobs(echoOf(choice).length)
  /** By choice, for those that have begun. */
  const logprobsOf = new Map<number, ReturnType<typeof newLogprobs>>()
  const begin = (choice: number): string => {
    if (logprobsOf.has(choice)) return ''
    logprobsOf.set(choice, newLogprobs(choice))
    return echoOf(choice)
  }
  const chunk = (choices: readonly object[], usage: object | null): string =>
    JSON.stringify({ ...head, choices, ...(includeUsage ? { usage } : {}) })
  return {
    events([index, event]) {
      if (event.type !== 'content') return []
      const text = begin(index) + event.text
      const logprobs = logprobsOf.get(index)?.(event.tokens) ?? null
      return chunk([{ index, text, logprobs, finish_reason: null }], null)
    },
    lastEvents(finishes) {
      const events = finishes.map(([index, { reason }]) =>
        chunk([{ index, text: begin(index), logprobs: null, finish_reason: reason }], null),
      )
      return includeUsage ? [...events, chunk([], usageJson(answer.usage()))] : events
    },
    document: (choices) => ({
      ...head,
      choices: choices.map(({ parts, finish }, index) => {
        const { content, tokens } = joinParts(parts)
        return {
          index,
          text: echoOf(index) + content,
          logprobs: newLogprobs(index)(tokens),
          finish_reason: finish.reason,
        }
      }),
      usage: usageJson(answer.usage()),
    }),
  }
}
