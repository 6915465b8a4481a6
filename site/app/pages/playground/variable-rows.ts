import type { PlaygroundState } from './playground-store.ts'
import { type OtherRows, type PromptVariables, variableNames } from './prompt-variables.ts'
import type { AnswerRow, Turn } from './turns.ts'

type Table = { variables: PromptVariables; otherRows: OtherRows }

/** A set of values to send with. `row` is null where there is no other set that the answer could be of. */
export type SentRow = { values: PromptVariables; row: AnswerRow | null }

export const tableRows = ({ variables, otherRows: { before, after } }: Table): readonly PromptVariables[] => [
  ...before,
  variables,
  ...after,
]

type Said = Pick<PlaygroundState, 'system' | 'turns' | 'draft'>

/** The names that are in what is said, and in what is being typed. */
export const usedNames = ({ system, turns, draft }: Said): readonly string[] =>
  variableNames([system, ...turns.map(({ kind, text }) => (kind === 'sent' ? text : '')), draft])

/** The row of this number, counted from one, if there is one; otherwise the one that is chosen. */
export const rowToSend = (state: Table & Said, number?: number): SentRow => {
  const rows = tableRows(state)
  const chosen = state.otherRows.before.length
  const wanted = number === undefined || rows[number - 1] === undefined ? chosen : number - 1
  const values = rows[wanted] ?? state.variables
  const names = usedNames(state)
  if (rows.length === 1 || names.length === 0) return { values, row: null }
  return { values, row: { number: wanted + 1, text: rowText(values, names) } }
}

/**
 * The row that an answer is of, whichever is chosen now, for a request with the turns before `place`. Rows above it may have been
 * removed: then another one has its number, and its values tell it. If none has them any more, they were changed in its place.
 */
export const rowOfAnswer = (state: Table & Said, answer: Turn | undefined, place: number): SentRow => {
  const sent = { ...state, turns: state.turns.slice(0, place), draft: '' }
  const row = answer?.kind === 'answer' ? answer.row : undefined
  if (row === undefined) return rowToSend(sent)
  const names = usedNames(sent)
  const texts = tableRows(state).map((values) => rowText(values, names))
  const found = texts[row.number - 1] === row.text ? -1 : texts.indexOf(row.text)
  return rowToSend(sent, found < 0 ? row.number : found + 1)
}

/** All that have a value. */
export const filledRows = (state: PlaygroundState): readonly SentRow[] => {
  const names = usedNames(state)
  return tableRows(state).flatMap((values, index) =>
    rowText(values, names) === '' ? [] : [rowToSend(state, index + 1)],
  )
}

/** Enough to tell rows apart. */
const textCharacters = 80

const rowText = (values: PromptVariables, names: readonly string[]): string => {
  const said = names.flatMap((name) => (Object.hasOwn(values, name) ? (values[name]?.trim() ?? '') : '') || [])
  const line = said
    .join(' · ')
    .slice(0, 4 * textCharacters)
    .replaceAll(/\s+/g, ' ')
  const characters = [...line]
  return characters.length > textCharacters ? `${characters.slice(0, textCharacters).join('')}…` : line
}
