import { ApiError } from '../../base/api-error.ts'
import { type CallJson, type ChoiceJson, contentLogprobJson } from '../chat-completions/shapes.ts'
import type { ChoiceEvent, FinishReason, NumberedEvent } from './output/choice.ts'

export type ChoiceCollectorOptions = {
  count: number
  legacy: boolean
  logprobs: boolean
  /** For the text and log probabilities of all choices together; more ends the request. */
  limitBytes: number
}

/** Collects the events of choices into complete choices, within a limit of memory. */
export interface ChoiceCollector {
  add(numbered: NumberedEvent): void
  /** Once every choice has finished. */
  choices(): ChoiceJson[]
}

type CollectedChoice = {
  content: string[]
  reasoning: string[]
  refusal: string[]
  logprobs: ReturnType<typeof contentLogprobJson>[]
  calls: { id: string; name: string; arguments: string[] }[]
  tokenIds: number[] | null
  reason: FinishReason
}

export const createChoiceCollector = ({
  count,
  legacy,
  logprobs,
  limitBytes,
}: ChoiceCollectorOptions): ChoiceCollector => {
  const collected = Array.from({ length: count }, newChoice)
  let bytes = 0
  const grow = (by: number): void => {
    bytes += by
    if (bytes > limitBytes) throw ApiError.of('answer_too_large', { limitBytes })
  }
  const at = (choice: number): CollectedChoice => {
    const one = collected[choice]
    if (one === undefined) throw new RangeError(`there is no choice ${choice}`)
    return one
  }
  return {
    add([choice, event, tokenIds]) {
      grow(sizeOf(event))
      const one = at(choice)
      addEvent(one, event)
      if (tokenIds === undefined) return
      one.tokenIds ??= []
      for (const id of tokenIds) one.tokenIds.push(id)
    },
    choices: () => collected.map((one, index) => choiceJson(one, index, { legacy, logprobs })),
  }
}

const newChoice = (): CollectedChoice => ({
  content: [],
  reasoning: [],
  refusal: [],
  logprobs: [],
  calls: [],
  tokenIds: null,
  reason: 'stop',
})

/** A log probability takes about this much memory, and so does each of its alternatives. */
const logprobBytes = 200

/** About how much memory the text and the log probabilities of an event take. */
export const sizeOf = (event: ChoiceEvent): number => {
  if (event.type === 'finish' || event.type === 'call') return 0
  const text = event.text.length * 2
  return event.type === 'content'
    ? event.tokens.reduce((sum, { logprob }) => sum + logprobBytes * (1 + logprob.top.length), text)
    : text
}

const addEvent = (one: CollectedChoice, event: ChoiceEvent): void => {
  if (event.type === 'content') {
    one.content.push(event.text)
    one.logprobs.push(...event.tokens.map(contentLogprobJson))
  } else if (event.type === 'reasoning') one.reasoning.push(event.text)
  else if (event.type === 'refusal') one.refusal.push(event.text)
  else if (event.type === 'call') one.calls.push({ id: event.id, name: event.name, arguments: [] })
  else if (event.type === 'arguments') one.calls[event.index]?.arguments.push(event.text)
  else one.reason = event.reason
}

const choiceJson = (
  one: CollectedChoice,
  index: number,
  { legacy, logprobs }: { legacy: boolean; logprobs: boolean },
): ChoiceJson => {
  const text = one.content.join('')
  const calls = one.calls.map(
    (call): CallJson => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments.join('') },
    }),
  )
  const [first] = calls
  const refusal = one.refusal.length === 0 ? null : one.refusal.join('')
  return {
    index,
    message: {
      role: 'assistant',
      content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
      refusal,
      ...(one.reasoning.length > 0 ? { reasoning_content: one.reasoning.join('') } : {}),
      ...(first === undefined ? {} : legacy ? { function_call: first.function } : { tool_calls: calls }),
    },
    logprobs: logprobs ? { content: one.logprobs, refusal: null } : null,
    finish_reason: one.reason,
    ...(one.tokenIds === null ? {} : { token_ids: one.tokenIds }),
  }
}
