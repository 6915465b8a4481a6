import { ApiError } from '../../../base/api-error.ts'
import type { TokenLogprob } from '../../../engine/contract.ts'
import type { ChoiceEvent, NumberedEvent } from '../output/choice.ts'
import type { AnswerChoice, AnswerPart, Finish } from './answer-part.ts'

type ChoiceCollectorOptions = {
  count: number
  /** For the text and log probabilities of all choices together; more ends the request. */
  limitBytes: number
  /** What the answer contains besides. */
  startBytes?: number
  /** In how many choices the log probabilities of a prompt are written. */
  promptCopies?: number
}

/** Collects the events of choices into complete choices, within a limit of memory. */
export interface ChoiceCollector {
  add(numbered: NumberedEvent): void
  /** About how much memory the answer takes so far. */
  bytes(): number
  /** Once every choice has finished. */
  choices(): readonly AnswerChoice[]
}

type CollectedChoice = { parts: AnswerPart[]; finish: Finish; tokenIds: number[] | null }

export const createChoiceCollector = (options: ChoiceCollectorOptions): ChoiceCollector => {
  const { count, limitBytes, startBytes = 0, promptCopies = 1 } = options
  const collected: CollectedChoice[] = []
  for (let choice = 0; choice < count; choice += 1)
    collected.push({ parts: [], finish: { reason: 'stop' }, tokenIds: null })
  let bytes = startBytes
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
      grow(textBytes(event) * (event.type === 'content' && event.prompt !== undefined ? promptCopies : 1))
      const one = at(choice)
      if (event.type === 'finish') one.finish = copyFinish(event)
      else addPart(one.parts, event)
      if (tokenIds === undefined) return
      one.tokenIds ??= []
      for (const id of tokenIds) one.tokenIds.push(id)
    },
    bytes: () => bytes,
    choices: () => collected,
  }
}

const copyFinish = ({ reason, stopText, endToken }: Finish): Finish => ({
  reason,
  ...(stopText === undefined ? {} : { stopText }),
  ...(endToken === undefined ? {} : { endToken }),
})

/** A log probability takes about this much memory, and so does each of its alternatives. */
const logprobBytes = 200

/** About how much memory the text and the log probabilities of an event take. */
export const textBytes = (event: ChoiceEvent): number => {
  if (event.type === 'finish' || event.type === 'call') return 0
  if (event.type === 'item') return 'json' in event.item ? event.item.json.length * 2 : 0
  const signature = event.type === 'reasoning' ? event.signature : undefined
  const text = (event.text.length + (signature?.length ?? 0)) * 2
  // Most have none.
  if (event.type !== 'content' || (event.tokens.length === 0 && event.prompt === undefined)) return text
  return [...event.tokens, ...(event.prompt ?? [])].reduce((sum, { logprob }) => sum + logprobSize(logprob), text)
}

const logprobSize = (logprob: TokenLogprob | null): number => logprobsBytes(1, logprob?.top.length ?? 0)

/** About how much memory the log probabilities of so many tokens take, each with so many alternatives. */
export const logprobsBytes = (tokens: number, top: number): number => tokens * logprobBytes * (1 + top)

/** Appends the part, or extends the last part if it is of the same kind. */
const addPart = (parts: AnswerPart[], part: AnswerPart): void => {
  const last = parts.at(-1)
  if (part.type === 'content') {
    const { text, tokens, prompt } = part
    if (last?.type !== 'content')
      return void parts.push({ type: 'content', text, tokens: [...tokens], ...(prompt ? { prompt: [...prompt] } : {}) })
    for (const token of prompt ?? []) last.prompt?.push(token)
    last.text += text
    for (const token of tokens) last.tokens.push(token)
  } else if (part.type === 'call') parts.push({ type: 'call', index: part.index, id: part.id, name: part.name })
  else if (part.type === 'arguments') {
    if (last?.type === 'arguments' && last.index === part.index) last.text += part.text
    else parts.push({ type: 'arguments', index: part.index, text: part.text })
  } else if (part.type === 'item') parts.push({ type: 'item', item: part.item })
  else if (part.type === 'reasoning' && part.isRedacted) parts.push({ ...part })
  else if (part.type === 'reasoning' && part.signature !== undefined) addSigned(parts, part.signature, part.text)
  else if (last?.type === part.type && !isSigned(last)) last.text += part.text
  else parts.push({ type: part.type, text: part.text })
}

const addSigned = (parts: AnswerPart[], signature: string, text: string): void => {
  const last = parts.at(-1)
  if (last?.type !== 'reasoning' || (isSigned(last) && (text !== '' || last.isRedacted)))
    return void parts.push({ type: 'reasoning', text, signature })
  last.text += text
  last.signature = (last.signature ?? '') + signature
}

/** No reasoning can be added to it: with another text, its signature is not valid. */
const isSigned = (part: AnswerPart): boolean => part.type === 'reasoning' && part.signature !== undefined
