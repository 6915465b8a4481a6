import { type AnswerChoice, joinParts } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { fingerprintOf, usageJson } from '../openai/answer-shapes.ts'
import { createLegacyLogprobs, joinLogprobs, type LegacyLogprobs } from './legacy-logprobs.ts'
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
  const hasLogprobs = sampling.topLogprobs !== null
  const begin = (choice: number) => {
    const echo = echoes[Math.floor(choice / (n / echoes.length))] ?? null
    return { echo, logprobs: createLegacyLogprobs(echo) }
  }
  /** By choice, for those that have begun. */
  const begun = new Map<number, ReturnType<typeof begin>>()
  /** The choice, and the text of the prompt if nothing of it was written before. */
  const continued = (choice: number) => {
    const known = begun.get(choice)
    if (known !== undefined) return { ...known, echo: '' }
    const one = begin(choice)
    begun.set(choice, one)
    return { ...one, echo: one.echo ?? '' }
  }
  const chunk = (choices: readonly object[], usage: object | null): string =>
    JSON.stringify({ ...head, choices, ...(includeUsage ? { usage } : {}) })
  const piece = (index: number, text: string, logprobs: LegacyLogprobs | null, reason: string | null = null): string =>
    chunk([{ index, text, logprobs: hasLogprobs ? logprobs : null, finish_reason: reason }], null)
  return {
    events([index, event]) {
      if (event.type !== 'content') return []
      const { echo, logprobs } = continued(index)
      if (event.prompt === undefined) return piece(index, echo + event.text, logprobs.content(event.tokens))
      const written = logprobs.prompt(event.prompt)
      // The text of a prompt is returned as it was sent, in front of its first tokens.
      return piece(index, begun.get(index)?.echo === null ? written.text : echo, written.logprobs)
    },
    lastEvents(finishes) {
      const events = finishes.map(([index, { reason, endToken }]) => {
        const { echo, logprobs } = continued(index)
        return piece(index, echo, endToken === undefined ? null : logprobs.end(endToken), reason)
      })
      return includeUsage ? [...events, chunk([], usageJson(answer.usage()))] : events
    },
    document: (choices) => ({
      ...head,
      choices: choices.map((choice, index) => ({
        index,
        ...written(choice, begin(index), hasLogprobs),
        finish_reason: choice.finish.reason,
      })),
      usage: usageJson(answer.usage()),
    }),
  }
}

type Begun = { echo: string | null; logprobs: ReturnType<typeof createLegacyLogprobs> }

/** The text and the log probabilities of a complete choice. */
const written = ({ parts, finish: { endToken } }: AnswerChoice, { echo, logprobs }: Begun, hasLogprobs: boolean) => {
  const { prompt, content, tokens } = joinParts(parts)
  if (!hasLogprobs) return { text: (echo ?? '') + content, logprobs: null }
  const before = logprobs.prompt(prompt)
  const lists = [before.logprobs, logprobs.content(tokens), ...(endToken === undefined ? [] : [logprobs.end(endToken)])]
  return { text: (echo ?? before.text) + content, logprobs: joinLogprobs(lists) }
}
