import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { emptyState, type OpenedPrompt, type PlaygroundState } from './playground-store.ts'
import { answerFormats, defaultSettings, type PlaygroundSettings, toolChoices } from './settings.ts'
import { type AnswerTurn, newAnswer, newTurnId, type Outcome, type Turn } from './turns.ts'

/** What of the playground is saved: all that was written, and the answers without the moments of their tokens. */
export type PlaygroundContent = Pick<PlaygroundState, 'model' | 'system' | 'draft' | 'turns' | 'settings' | 'saved'>

export const writeContent = ({ model, system, draft, turns, settings, saved }: PlaygroundContent): string =>
  JSON.stringify({ model, system, draft, turns: turns.map(savedTurn), settings, saved })

const savedTurn = (turn: Turn): object => {
  if (turn.kind === 'sent') return { kind: 'sent', text: turn.text }
  const { text, model, isJson, calls, usage, requestId, outcome, timing } = turn
  const { firstMs, endMs } = timing
  const end = outcome.kind === 'finished' ? outcome : { kind: 'stopped' }
  return { kind: 'answer', text, model, isJson, calls, usage, requestId, outcome: end, timing: { firstMs, endMs } }
}

/** Null if it is none of ours. A field of another version of the site is left at its default. */
export const readContent = (text: string): PlaygroundContent | null => {
  const read = parse(text)
  if (!isRecord(read)) return null
  return {
    model: stringOrEmpty(read.model),
    system: stringOrEmpty(read.system),
    draft: stringOrEmpty(read.draft),
    turns: Array.isArray(read.turns) ? read.turns.flatMap((turn) => readTurn(turn) ?? []) : [],
    settings: readSettings(read.settings),
    saved: readSaved(read.saved),
  }
}

/** Whether there is anything that would be missed. */
export const isBlank = ({ system, draft, turns, settings }: PlaygroundContent): boolean =>
  system === '' &&
  draft === '' &&
  turns.length === 0 &&
  JSON.stringify(settings) === JSON.stringify(emptyState.settings)

const readTurn = (value: unknown): Turn | null => {
  if (!isRecord(value)) return null
  if (value.kind === 'sent') return { kind: 'sent', id: newTurnId(), text: stringOrEmpty(value.text) }
  if (value.kind !== 'answer') return null
  const timing = isRecord(value.timing) ? value.timing : {}
  return {
    ...newAnswer({ model: stringOrEmpty(value.model), isJson: value.isJson === true }),
    text: stringOrEmpty(value.text),
    calls: Array.isArray(value.calls) ? value.calls.flatMap((call) => readCall(call) ?? []) : [],
    usage: readUsage(value.usage),
    requestId: typeof value.requestId === 'string' ? value.requestId : null,
    outcome: readOutcome(value.outcome),
    timing: { firstMs: numberOrNull(timing.firstMs), endMs: numberOrNull(timing.endMs), moments: [] },
  }
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

const readOutcome = (value: unknown): Outcome =>
  isRecord(value) && value.kind === 'finished'
    ? { kind: 'finished', reason: stringOrEmpty(value.reason) }
    : { kind: 'stopped' }

const readSettings = (value: unknown): PlaygroundSettings => {
  const known = isRecord(value) ? value : {}
  const texts = Object.entries(defaultSettings).map(([name, usual]) => {
    const typed = known[name]
    return [name, typeof typed === 'string' ? typed : usual]
  })
  const settings: PlaygroundSettings = { ...defaultSettings, ...Object.fromEntries(texts) }
  return {
    ...settings,
    toolChoice: toolChoices.find((choice) => choice === settings.toolChoice) ?? 'auto',
    format: answerFormats.find((format) => format === settings.format) ?? 'text',
  }
}

const readSaved = (value: unknown): OpenedPrompt | null => {
  if (!isRecord(value) || typeof value.id !== 'string') return null
  const version = numberOrNull(value.version) ?? 1
  return { id: value.id, name: stringOrEmpty(value.name), version, isOwn: value.isOwn === true }
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
