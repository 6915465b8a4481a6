import { expect, test } from 'vitest'
import { changeRows } from './change-rows.ts'
import { readContent, writeContent } from './draft-content.ts'
import { emptyState, type PlaygroundState } from './playground-store.ts'
import { maxRows } from './prompt-variables.ts'
import { type AnswerTurn, newAnswer } from './turns.ts'
import { filledRows, rowOfAnswer, rowToSend, tableRows } from './variable-rows.ts'
import { fork, versionNumber } from './versions.ts'

const state = {
  ...emptyState,
  draft: 'Where is {{city}} in {{ land }}?',
  variables: { city: 'Oslo', land: 'Norway', old: 'unused' },
  otherRows: { before: [{ city: 'Kyoto\n' }], after: [{}, { city: 'x'.repeat(200) }] },
}

test('an answer says of which row it is, by its number and the values that are used', () => {
  expect(rowToSend(state)).toEqual({ values: state.variables, row: { number: 2, text: 'Oslo · Norway' } })
  expect(rowToSend(state, 1).row).toEqual({ number: 1, text: 'Kyoto' })
  expect(rowToSend(state, 4).row?.text).toBe(`${'x'.repeat(80)}…`)
  expect(rowToSend(state, 9)).toEqual(rowToSend(state))
})

test('with one row, or without variables, an answer says nothing of rows', () => {
  expect(rowToSend({ ...state, otherRows: emptyState.otherRows })).toEqual({ values: state.variables, row: null })
  expect(rowToSend({ ...state, draft: 'Where?' }).row).toBeNull()
})

test('rows without a value are not sent', () => {
  expect(filledRows(state).map(({ row }) => row?.number)).toEqual([1, 2, 4])
  expect(filledRows({ ...state, variables: { old: 'unused' } }).map(({ row }) => row?.number)).toEqual([1, 4])
})

test('rows are saved with the one that is chosen; a draft with one row is written as ever', () => {
  const read = readContent(writeContent(state))
  expect(read?.variables).toEqual(state.variables)
  expect(read?.otherRows).toEqual(state.otherRows)
  const before = JSON.stringify({ turns: [], variables: { city: 'Kyoto' } })
  const old = readContent(before)
  expect(old && tableRows(old)).toEqual([{ city: 'Kyoto' }])
  expect(old && writeContent(old)).not.toContain('otherRows')
})

test('of rows that were made up, as many are read as the table may have, and only texts', () => {
  const rows = Array.from({ length: 50 }, () => ({ city: 'Rome', bad: 5 }))
  const read = readContent(JSON.stringify({ variables: {}, otherRows: { before: rows, after: rows } }))
  expect(read && tableRows(read)).toHaveLength(maxRows)
  expect(read?.otherRows.before[0]).toEqual({ city: 'Rome' })
  expect(readContent(JSON.stringify({ otherRows: [1] }))?.otherRows).toEqual(emptyState.otherRows)
})

const answer = (id: string, row: AnswerTurn['row'] | null): AnswerTurn => ({
  ...newAnswer({ model: 'helix-v1', isJson: false, row: row ?? null }),
  ...{ id, outcome: { kind: 'stopped' } },
})

test('an empty answer stays beside that of another row, and another attempt at its own takes its place', () => {
  const sent = { kind: 'sent' as const, id: 'q', text: 'Hi' }
  const first = [sent, answer('a', { number: 1, text: 'Kyoto' })]
  const [, next] = fork(first, 1, answer('b', { number: 2, text: 'Oslo' }))
  expect(next && versionNumber(next)).toEqual({ number: 2, count: 2 })
  const [, again] = fork(first, 1, answer('b', { number: 1, text: 'Kyoto' }))
  expect(again && versionNumber(again)).toEqual({ number: 1, count: 1 })
})

test('the row of an answer is saved with it', () => {
  const row = { number: 2, text: 'Oslo' }
  const read = readContent(writeContent({ ...state, turns: [answer('a', row), answer('b', null)] }))
  expect(read?.turns).toMatchObject([{ row }, { text: '' }])
  expect(read?.turns[1]).not.toHaveProperty('row')
})

const asked = { kind: 'sent' as const, id: 'q', text: 'Where is {{city}} in {{land}}?' }
const answered = { ...state, draft: 'And {{old}}?', turns: [asked, answer('a', { number: 2, text: 'Oslo · Norway' })] }
const valuesOf = (table: PlaygroundState) => rowOfAnswer(table, table.turns[1], 1)

test('an answer is of its row, whichever is chosen, and also when a row above it is gone', () => {
  const other = { ...answered, ...changeRows.choose(answered, 3) }
  expect(valuesOf(other)).toEqual({ values: state.variables, row: { number: 2, text: 'Oslo · Norway' } })
  const moved = { ...other, ...changeRows.removeRow(other, 0) }
  expect(valuesOf(moved)).toEqual({ values: state.variables, row: { number: 1, text: 'Oslo · Norway' } })
})

test('a row that was changed in its place is still that of its answer; with one row left, it is that', () => {
  const changed = { ...answered, ...changeRows.setRow(answered, 1, { city: 'Bergen' }) }
  expect(valuesOf({ ...changed, ...changeRows.choose(changed, 0) }).row).toEqual({ number: 2, text: 'Bergen · Norway' })
  const one = { ...answered, variables: { city: 'Rome' }, otherRows: emptyState.otherRows }
  expect(valuesOf(one)).toEqual({ values: { city: 'Rome' }, row: null })
  expect(rowOfAnswer(answered, answer('b', null), 1).row?.number).toBe(2)
})
