import { isRecord } from '../../../../src/base/is-record.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { type Attachment, maxAttachments } from './attachments.ts'
import { numberOrNull, stringOrEmpty } from './saved-values.ts'
import {
  type AnswerRow,
  type AnswerTurn,
  newAnswer,
  newTurnId,
  type Outcome,
  type Tail,
  type Turn,
  type Versions,
} from './turns.ts'
import { withVersions } from './versions.ts'

/** Versions in versions in versions: a draft that was made up cannot exhaust the stack. */
const maxDepth = 40

/**
 * What of a turn is saved: all but the moments of its tokens. What is read from it says the same once more when it is saved again: the
 * history tells by that what it has.
 */
export const writeTurn = (turn: Turn): object => {
  const versions = turn.versions === undefined ? {} : { versions: writeVersions(turn.versions) }
  if (turn.kind === 'sent') {
    const files = turn.attachments === undefined ? {} : { attachments: turn.attachments.map(withoutData) }
    return { kind: 'sent', text: turn.text, ...files, ...versions }
  }
  const { text, model, isJson, row, calls, usage, requestId, outcome, timing } = turn
  const { firstMs, endMs } = timing
  const thought = turn.thought && { ...turn.thought, isOver: true }
  const answer = {
    text,
    thought,
    model,
    isJson,
    calls,
    usage,
    requestId,
    outcome: writeOutcome(outcome),
    timing: { firstMs, endMs },
  }
  return { kind: 'answer', ...answer, ...(row === undefined ? {} : { row }), ...versions }
}

/** An answer that was running has ended with its page. */
const writeOutcome = (outcome: Outcome): object => {
  if (outcome.kind === 'finished') return outcome
  if (outcome.kind !== 'failed') return { kind: 'stopped' }
  const { error, asked } = outcome
  return { kind: 'failed', error: error instanceof PlatformError ? writeError(error) : null, asked }
}

const longestMessage = 1000

/** What a reader still wants to know later: not how far a limit was used then, nor which field of the panel was marked. */
const writeError = ({ status, code, message, requestId }: PlatformError): object => ({
  ...{ status, code, message: message.slice(0, longestMessage), requestId },
})

const writeVersions = ({ before, after }: Versions): object => ({
  before: before.map((tail) => tail.map(writeTurn)),
  after: after.map((tail) => tail.map(writeTurn)),
})

/** What is no turn is left out. */
export const readTurns = (value: unknown, depth = 0): readonly Turn[] =>
  Array.isArray(value) ? value.flatMap((turn) => readTurn(turn, depth) ?? []) : []

const readTurn = (value: unknown, depth: number): Turn | null => {
  if (!isRecord(value)) return null
  const turn = value.kind === 'sent' ? readSent(value) : value.kind === 'answer' ? readAnswer(value) : null
  return turn && withVersions(turn, { place: turn.id, ...readVersions(value.versions, depth) })
}

const readVersions = (value: unknown, depth: number): Pick<Versions, 'before' | 'after'> => {
  if (!isRecord(value) || depth >= maxDepth) return { before: [], after: [] }
  const readTails = (tails: unknown): readonly Tail[] =>
    Array.isArray(tails) ? tails.map((tail) => readTurns(tail, depth + 1)).filter(({ length }) => length > 0) : []
  return { before: readTails(value.before), after: readTails(value.after) }
}

const readSent = (value: Record<string, unknown>): Turn => {
  const attachments = Array.isArray(value.attachments)
    ? value.attachments.slice(0, maxAttachments).flatMap((each) => readAttachment(each) ?? [])
    : []
  const files = attachments.length === 0 ? {} : { attachments }
  return { kind: 'sent', id: newTurnId(), text: stringOrEmpty(value.text), ...files }
}

/** Images and audio are not stored. */
const withoutData = (attachment: Attachment): Attachment => {
  if (attachment.kind === 'text') return attachment
  const { isReduced: _ofItsData, ...named } = attachment
  return { ...named, data: null }
}

const readAttachment = (value: unknown): Attachment | null => {
  if (!isRecord(value)) return null
  const name = stringOrEmpty(value.name)
  if (value.kind === 'text') return { kind: 'text', name, text: stringOrEmpty(value.text) }
  if (value.kind !== 'image' && value.kind !== 'audio') return null
  const bytes = numberOrNull(value.bytes) ?? 0
  return { kind: value.kind, name, type: stringOrEmpty(value.type), bytes, data: null }
}

const readAnswer = (value: Record<string, unknown>): Turn => {
  const timing = isRecord(value.timing) ? value.timing : {}
  return {
    ...newAnswer({ model: stringOrEmpty(value.model), isJson: value.isJson === true, row: readRow(value.row) }),
    text: stringOrEmpty(value.text),
    thought: readThought(value.thought),
    calls: Array.isArray(value.calls) ? value.calls.flatMap((call) => readCall(call) ?? []) : [],
    usage: readUsage(value.usage),
    requestId: typeof value.requestId === 'string' ? value.requestId : null,
    outcome: readOutcome(value.outcome),
    timing: { firstMs: numberOrNull(timing.firstMs), endMs: numberOrNull(timing.endMs), moments: [] },
  }
}

const readRow = (value: unknown): AnswerRow | null => {
  const number = isRecord(value) ? numberOrNull(value.number) : null
  return isRecord(value) && number !== null ? { number, text: stringOrEmpty(value.text) } : null
}

const readThought = (value: unknown): AnswerTurn['thought'] => {
  if (!isRecord(value)) return null
  const [fromMs, toMs] = [numberOrNull(value.fromMs) ?? 0, numberOrNull(value.toMs) ?? 0]
  return { text: stringOrEmpty(value.text), fromMs, toMs, isOver: true }
}

const readCall = (value: unknown): AnswerTurn['calls'][number] | null =>
  isRecord(value) && typeof value.id === 'string'
    ? {
        id: value.id,
        name: stringOrEmpty(value.name),
        arguments: stringOrEmpty(value.arguments),
        result: stringOrEmpty(value.result),
      }
    : null

const readUsage = (value: unknown): AnswerTurn['usage'] => {
  if (!isRecord(value)) return null
  const [promptTokens, completionTokens] = [numberOrNull(value.promptTokens), numberOrNull(value.completionTokens)]
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens }
}

const readOutcome = (value: unknown): Outcome => {
  if (!isRecord(value)) return { kind: 'stopped' }
  if (value.kind === 'finished') return { kind: 'finished', reason: stringOrEmpty(value.reason) }
  if (value.kind !== 'failed') return { kind: 'stopped' }
  return { kind: 'failed', error: readError(value.error), asked: numberOrNull(value.asked) }
}

const readError = (value: unknown): PlatformError | null => {
  if (!isRecord(value)) return null
  const { status, code, message, requestId } = value
  return new PlatformError({
    ...{ status: numberOrNull(status) ?? 0, code: stringOrEmpty(code), message: stringOrEmpty(message) },
    requestId: typeof requestId === 'string' ? requestId : null,
  })
}
