import { isTimed } from '../../../../src/usage/timed-tokens.ts'
import type { Thought } from '../../answer/thought.ts'
import type { TokenInfo } from '../../answer/token-info.ts'
import type { Attachment } from './attachments.ts'

/** The conversation as the page shows it. A tool's result belongs to its call. */
type ToolCall = { id: string; name: string; arguments: string; result: string }

export type Usage = { promptTokens: number; completionTokens: number }

/** Which row of the variables' table an answer is of. */
export type AnswerRow = { number: number; text: string }

/** When things happened, in milliseconds since the request went out. */
export type Timing = { firstMs: number | null; moments: readonly number[]; endMs: number | null }

export type Outcome =
  | { kind: 'running' }
  /** The model is being loaded: the request is sent again by itself. */
  | { kind: 'waiting' }
  | { kind: 'finished'; reason: string }
  | { kind: 'stopped' }
  /** `asked` is the maximum length that was asked for. */
  | { kind: 'failed'; error: unknown; asked: number | null }

/** A turn and all that follow it, as they were when something else took their place. */
export type Tail = readonly Turn[]

/**
 * What else stands, or stood, in the place of a turn: other versions of it, each with the conversation that follows it.
 * What is shown is one way through this tree, and nothing that leaves it is lost.
 */
export type Versions = {
  /** The same for all turns in this place, so that the page keeps its element. */
  place: string
  before: readonly Tail[]
  after: readonly Tail[]
}

/** Absent if there is no other version. */
type InPlace = { versions?: Versions }

/** `attachments` is absent without any. */
export type SentTurn = InPlace & { kind: 'sent'; id: string; text: string; attachments?: readonly Attachment[] }
export type AnswerTurn = InPlace & {
  kind: 'answer'
  id: string
  text: string
  /** What the model reasoned before it answered; it is not sent along. */
  thought: Thought | null
  /** The model that was asked. */
  model: string
  /** The request asked for JSON. */
  isJson: boolean
  /** Absent if the table had one row. */
  row?: AnswerRow
  calls: readonly ToolCall[]
  timing: Timing
  /** With their probabilities, if these were asked for. Like the moments of tokens they are not saved. */
  tokens?: readonly TokenInfo[]
  usage: Usage | null
  /** Null until the server has named it. */
  requestId: string | null
  outcome: Outcome
}
export type Turn = SentTurn | AnswerTurn

/** Browsers have no `randomUUID` where there is no HTTPS. */
export const newTurnId = (): string => `turn-${crypto.getRandomValues(new Uint32Array(3)).join('-')}`

type NewAnswer = Pick<AnswerTurn, 'model' | 'isJson'> & { row?: AnswerRow | null }

export const newAnswer = ({ model, isJson, row = null }: NewAnswer): AnswerTurn => ({
  ...(row === null ? {} : { row }),
  kind: 'answer',
  id: newTurnId(),
  text: '',
  thought: null,
  model,
  isJson,
  calls: [],
  timing: { firstMs: null, moments: [], endMs: null },
  usage: null,
  requestId: null,
  outcome: { kind: 'running' },
})

/** An answer that never began has nothing to send along. */
export const saysSomething = (turn: Turn): boolean => turn.kind === 'sent' || turn.text !== '' || turn.calls.length > 0

/** Somebody answered: it belongs into the history. */
export const isConversation = ({ turns }: { turns: readonly Turn[] }): boolean =>
  turns.some((turn) => turn.kind === 'answer' && saysSomething(turn))

/** Tokens for each second after the first one; null until there are enough of them to tell. */
export const tokensPerSecond = ({ moments, firstMs, endMs }: Timing, usage: Usage | null): number | null => {
  const last = moments.at(-1)
  if (firstMs === null || last === undefined || !isTimed(moments.length, last - firstMs)) return null
  const tokens = endMs === null ? moments.length : (usage?.completionTokens ?? moments.length)
  return ((Math.min(tokens, moments.length) - 1) * 1000) / (last - firstMs)
}
