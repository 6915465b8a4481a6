import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { emptyState, type OpenedPrompt, type PlaygroundState, type SavedConversation } from './playground-store.ts'
import { maxRows, noOtherRows, type OtherRows, type PromptVariables } from './prompt-variables.ts'
import { readTurns, writeTurn } from './saved-turns.ts'
import { numberOrNull, stringOrEmpty } from './saved-values.ts'
import {
  answerFormats,
  defaultSettings,
  logprobChoices,
  type PlaygroundSettings,
  reasoningEfforts,
  toolChoices,
} from './settings.ts'
import type { Turn } from './turns.ts'
import { countVersions, leaveOutVersions, withoutVersions } from './versions.ts'

/** What of the playground is saved: all that was written, and the answers without the moments of their tokens. */
export type PlaygroundContent = Pick<
  PlaygroundState,
  'model' | 'system' | 'draft' | 'turns' | 'settings' | 'variables' | 'otherRows' | 'saved' | 'conversation' | 'leftOut'
>

/** What is shown, without other versions: this is what a saved prompt keeps. */
export const writeContent = (content: PlaygroundContent): string => write(content, content.turns.map(withoutVersions))

/** With as many of the other versions as a draft has room for: of those that do not fit, the oldest are left out. */
export const writeDraft = (content: PlaygroundContent, limitBytes: number): { text: string; leftOut: number } => {
  const { turns } = content
  const attempt = (leftOut: number) => write(content, leaveOutVersions(turns, leftOut))
  const fits = (text: string): boolean => new TextEncoder().encode(text).length <= limitBytes
  const whole = attempt(0)
  if (fits(whole)) return { text: whole, leftOut: 0 }
  // Between these two: the first is known not to fit, and with none at all there is nothing left to try.
  let [tooFew, leftOut] = [0, countVersions(turns)]
  while (leftOut - tooFew > 1) {
    const middle = Math.floor((tooFew + leftOut) / 2)
    if (fits(attempt(middle))) leftOut = middle
    else tooFew = middle
  }
  return { text: attempt(leftOut), leftOut }
}

const write = (
  { model, system, draft, settings, variables, otherRows, saved, conversation, leftOut }: PlaygroundContent,
  turns: readonly Turn[],
): string => {
  const values = areNone(otherRows) ? { variables } : { variables, otherRows }
  const missing = leftOut.length === 0 ? {} : { leftOut }
  const shown = { model, system, draft, turns: turns.map(writeTurn), settings }
  return JSON.stringify({ ...shown, ...values, saved, conversation, ...missing })
}

/** Null if it is none of ours. A field of another version of the site is left at its default. */
export const readContent = (text: string): PlaygroundContent | null => {
  const read = parse(text)
  if (!isRecord(read)) return null
  return {
    model: stringOrEmpty(read.model),
    system: stringOrEmpty(read.system),
    draft: stringOrEmpty(read.draft),
    turns: readTurns(read.turns),
    settings: readSettings(read.settings),
    variables: readVariables(read.variables),
    otherRows: readOtherRows(read.otherRows),
    saved: readSaved(read.saved),
    conversation: readConversation(read.conversation),
    leftOut: readTexts(read.leftOut),
  }
}

/** Whether there is anything that would be missed. */
export const isBlank = ({ system, draft, turns, settings }: PlaygroundContent): boolean =>
  system === '' &&
  draft === '' &&
  turns.length === 0 &&
  JSON.stringify(settings) === JSON.stringify(emptyState.settings)

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
    reasoningEffort: reasoningEfforts.find((effort) => effort === settings.reasoningEffort) ?? '',
    logprobs: logprobChoices.find((choice) => choice === settings.logprobs) ?? 'off',
    format: answerFormats.find((format) => format === settings.format) ?? 'text',
  }
}

const readVariables = (value: unknown): PromptVariables =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  )

const areNone = ({ before, after }: OtherRows): boolean => before.length + after.length === 0

const readOtherRows = (value: unknown): OtherRows => {
  if (!isRecord(value)) return noOtherRows
  const read = (rows: unknown, room: number): readonly PromptVariables[] =>
    Array.isArray(rows) ? rows.slice(0, room).map(readVariables) : []
  const before = read(value.before, maxRows - 1)
  return { before, after: read(value.after, maxRows - 1 - before.length) }
}

const readSaved = (value: unknown): OpenedPrompt | null => {
  if (!isRecord(value) || typeof value.id !== 'string') return null
  const version = numberOrNull(value.version) ?? 1
  return { id: value.id, name: stringOrEmpty(value.name), version, isOwn: value.isOwn === true }
}

const readTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(stringOrEmpty) : [])

const readConversation = (value: unknown): SavedConversation | null => {
  if (!isRecord(value) || typeof value.id !== 'string') return null
  const { id, title, version, mark, sent } = value
  const marks = { mark: stringOrEmpty(mark), sent: readTexts(sent) }
  return { id, title: stringOrEmpty(title), version: numberOrNull(version) ?? 0, ...marks }
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}
