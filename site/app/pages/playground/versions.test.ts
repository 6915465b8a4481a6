import { expect, test } from 'vitest'
import { readContent, writeContent, writeDraft } from './draft-content.ts'
import { emptyState } from './playground-store.ts'
import { type AnswerTurn, newAnswer, type Turn } from './turns.ts'
import { fork, placeOf, stepVersion, versionNumber, withoutTurn } from './versions.ts'

const sent = (id: string, text = id): Turn => ({ kind: 'sent', id, text })
const answer = (id: string, outcome: AnswerTurn['outcome'] = { kind: 'finished', reason: 'stop' }): AnswerTurn => ({
  ...newAnswer({ model: 'helix-v1', isJson: false }),
  ...{ id, text: id, outcome },
})
const texts = (turns: readonly Turn[]): string => turns.map(({ text }) => text).join(' ')
const numbers = (turns: readonly Turn[]): string =>
  turns.map((turn) => `${versionNumber(turn).number}/${versionNumber(turn).count}`).join(' ')

const talk = [sent('q1'), answer('a1'), sent('q2'), answer('a2')]

test('another answer takes the place of the first, which comes back with all that followed it', () => {
  const again = fork(talk, 1, answer('b1'))
  expect([texts(again), numbers(again)]).toEqual(['q1 b1', '1/1 2/2'])
  const back = stepVersion(again, 'b1', -1)
  expect([texts(back), numbers(back)]).toEqual(['q1 a1 q2 a2', '1/1 1/2 1/1 1/1'])
  expect(texts(stepVersion(back, 'a1', 1))).toBe('q1 b1')
})

test('a third version is the last, and the place keeps its name while versions change', () => {
  const third = fork(fork(talk, 3, answer('b2')), 3, answer('c2'))
  expect([texts(third), numbers(third)]).toEqual(['q1 a1 q2 c2', '1/1 1/1 1/1 3/3'])
  const first = stepVersion(stepVersion(third, 'c2', -1), 'b2', -1)
  expect(texts(first)).toBe('q1 a1 q2 a2')
  expect(placeOf(first[3] ?? sent(''))).toBe(placeOf(third[3] ?? sent('')))
  expect(stepVersion(first, 'a2', -1)).toBe(first)
})

test('versions in a version come back with it', () => {
  const inner = fork(talk, 3, answer('b2'))
  const outer = fork(inner, 0, sent('q0'))
  expect([texts(outer), numbers(outer)]).toEqual(['q0', '2/2'])
  const back = stepVersion(outer, 'q0', -1)
  expect([texts(back), numbers(back)]).toEqual(['q1 a1 q2 b2', '1/2 1/1 1/1 2/2'])
})

test('an attempt without an answer is no version, and one that is running is kept as stopped', () => {
  const failed = [sent('q1'), { ...answer('', { kind: 'failed', error: null, asked: null }), id: 'none' }]
  expect(numbers(fork(failed, 1, answer('b1')))).toBe('1/1 1/1')
  const running = fork([sent('q1'), answer('a1', { kind: 'running' })], 1, answer('b1'))
  expect(stepVersion(running, 'b1', -1)[1]).toMatchObject({ text: 'a1', outcome: { kind: 'stopped' } })
})

test('deleting what is shown keeps its other versions', () => {
  const last = fork(talk, 3, answer('b2'))
  expect(texts(withoutTurn(last, 'b2'))).toBe('q1 a1 q2 a2')
  expect(numbers(withoutTurn(last, 'b2'))).toBe('1/1 1/1 1/1 1/1')
  const middle = [...fork(talk, 1, answer('b1')), sent('q3')]
  const rest = withoutTurn(middle, 'b1')
  expect([texts(rest), numbers(rest)]).toEqual(['q1 q3', '1/1 2/2'])
  expect(texts(stepVersion(rest, 'q3', -1))).toBe('q1 a1 q2 a2')
})

test('a draft keeps versions, and a saved prompt only what is shown', () => {
  const content = { ...emptyState, turns: fork(fork(talk, 3, answer('b2')), 1, answer('b1')) }
  const { text, leftOut } = writeDraft(content, 100_000)
  const read = readContent(text)?.turns ?? []
  expect([leftOut, texts(read), numbers(read)]).toEqual([0, 'q1 b1', '1/1 2/2'])
  const back = stepVersion(read, read[1]?.id ?? '', -1)
  expect([texts(back), numbers(back)]).toEqual(['q1 a1 q2 b2', '1/1 1/2 1/1 2/2'])
  expect(numbers(readContent(writeContent(content))?.turns ?? [])).toBe('1/1 1/1')
})

test('a draft that is too large leaves out its oldest versions, and no more than it must', () => {
  const long = (letter: string): AnswerTurn => ({ ...answer(letter), text: letter.repeat(400) })
  const versions = ['a', 'b', 'c', 'd', 'e'].map(long)
  const turns = versions.reduce((shown, version) => fork(shown, 1, version), [sent('q')] as readonly Turn[])
  const whole = writeDraft({ ...emptyState, turns }, 100_000)
  const { text, leftOut } = writeDraft({ ...emptyState, turns }, whole.text.length - 500)
  expect(leftOut).toBe(1)
  const read = readContent(text)?.turns ?? []
  expect([numbers(read), read[1]?.text[0]]).toEqual(['1/1 4/4', 'e'])
  const none = writeDraft({ ...emptyState, turns }, 10)
  expect([none.leftOut, numbers(readContent(none.text)?.turns ?? [])]).toEqual([4, '1/1 1/1'])
})
