import type { PromptToken } from '../../engine/contract.ts'
import { type AnswerChoice, joinParts } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { modelFingerprint, usageJson } from '../openai/answer-shapes.ts'
import { promptLogprobsJson } from '../openai/prompt-logprobs-json.ts'
import { createLegacyLogprobs, type LegacyLogprobs, promptText, wholeLogprobs } from './legacy-logprobs.ts'
import type { CompletionsRequest } from './request/read-completions-request.ts'

type Asked = Pick<
  CompletionsRequest,
  'echoes' | 'n' | 'includeUsage' | 'continuousUsage' | 'sampling' | 'returnTokenIds' | 'promptLogprobs'
>

/** Writes an answer as text completions, whole or in pieces: both have the same shape. */
export const openCompletionsFormatter = (request: Asked, answer: FormattedAnswer): AnswerFormatter => {
  const { echoes, n, includeUsage, continuousUsage, sampling, returnTokenIds } = request
  const { id, createdAt, model } = answer
  const head = {
    id,
    object: 'text_completion' as const,
    created: Math.floor(createdAt / 1000),
    model: model.id,
    system_fingerprint: modelFingerprint(model),
  }
  const { topLogprobs } = sampling
  const begin = (choice: number): BegunChoice => {
    const prompt = Math.floor(choice / (n / echoes.length))
    const echo = echoes[prompt] ?? null
    const ids = returnTokenIds ? (answer.prompts[prompt]?.promptTokenIds ?? []) : null
    return { echo, logprobs: createLegacyLogprobs(echo, topLogprobs ?? 0), promptIds: idsJson('prompt_token_ids', ids) }
  }
  /** By choice, for those that have begun. */
  const begun = new Map<number, BegunChoice>()
  /** The choice, and what is written only once if nothing of it was written before. */
  const continued = (choice: number) => {
    const known = begun.get(choice)
    if (known !== undefined) return { ...known, echo: '', promptIds: {} }
    const one = begin(choice)
    begun.set(choice, one)
    return { ...one, echo: one.echo ?? '' }
  }
  const chunk = (choices: readonly object[], usage: object | null): string =>
    JSON.stringify({ ...head, choices, ...(includeUsage ? { usage } : {}) })
  const piece = (choice: PieceJson): string =>
    chunk(
      [{ ...choice, logprobs: topLogprobs === null ? null : choice.logprobs }],
      includeUsage && continuousUsage ? usageJson(answer.usage()) : null,
    )
  return {
    events([index, event, tokenIds = null]) {
      if (event.type !== 'content') return []
      const { echo, logprobs, promptIds } = continued(index)
      const ids = { ...promptIds, ...idsJson('token_ids', tokenIds) }
      if (event.prompt === undefined)
        return piece({
          ...{ index, text: echo + event.text, logprobs: logprobs.content(event.tokens) },
          ...{ finish_reason: null, ...ids },
        })
      const before = logprobs.prompt(event.prompt)
      // The text of a prompt is returned as it was sent, in front of its first tokens.
      const text = begun.get(index)?.echo === null ? before.text : echo
      return piece({ index, text, logprobs: before.logprobs, finish_reason: null, ...ids })
    },
    lastEvents(finishes) {
      const events = finishes.map(([index, { reason, endToken }, tokenIds = null]) => {
        const { echo, logprobs, promptIds } = continued(index)
        const end = endToken === undefined ? null : logprobs.end(endToken)
        const ids = { ...promptIds, ...idsJson('token_ids', tokenIds) }
        return piece({ index, text: echo, logprobs: end, finish_reason: reason, ...ids })
      })
      return includeUsage ? [...events, chunk([], usageJson(answer.usage()))] : events
    },
    document(choices) {
      const choicesOfPrompt = n / echoes.length
      /** Log probabilities of a prompt come with its first choice, and are written in each. */
      const promptOf = (index: number): PromptToken[] =>
        joinParts(choices[index - (index % choicesOfPrompt)]?.parts ?? []).prompt
      return {
        ...head,
        choices: choices.map((choice, index) => ({
          index,
          ...choiceJson(choice, begin(index), { ...request, prompt: promptOf(index) }),
        })),
        usage: usageJson(answer.usage()),
      }
    },
  }
}

type PieceJson = {
  index: number
  text: string
  logprobs: LegacyLogprobs | null
  finish_reason: string | null
  prompt_token_ids?: readonly number[]
  token_ids?: readonly number[]
}

type BegunChoice = {
  echo: string | null
  logprobs: ReturnType<typeof createLegacyLogprobs>
  promptIds: { prompt_token_ids?: readonly number[] }
}

const idsJson = <Name extends string>(name: Name, ids: readonly number[] | null) =>
  ids === null ? {} : { [name]: ids }

const choiceJson = (
  { parts, finish: { reason, endToken }, tokenIds }: AnswerChoice,
  { echo, promptIds }: Omit<BegunChoice, 'logprobs'>,
  { sampling: { topLogprobs }, promptLogprobs, prompt }: Asked & { prompt: PromptToken[] },
) => {
  const { content, tokens } = joinParts(parts)
  // Without `echo` the prompt is not part of the text.
  const before = echo === '' ? [] : prompt
  const listed = { echo, count: topLogprobs ?? 0, prompt: before, tokens, endToken }
  return {
    text: (echo ?? promptText(before)) + content,
    logprobs: topLogprobs === null ? null : wholeLogprobs(listed),
    ...(promptLogprobs === null ? {} : { prompt_logprobs: promptLogprobsJson(prompt, promptLogprobs) }),
    finish_reason: reason,
    ...promptIds,
    ...idsJson('token_ids', tokenIds),
  }
}
