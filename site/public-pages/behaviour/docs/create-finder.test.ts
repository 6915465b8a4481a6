import { expect, test } from 'vitest'
import { createFinder } from './create-finder.ts'

const entry = (heading: string, text: string, names = '', id = `/docs/${heading}`) => ({
  page: 'API reference',
  id,
  heading,
  text,
  names,
})
const entries = [
  entry('Refusals', 'A request above a limit gets 429.', 'retry-after'),
  entry('429 Too many requests', 'Messages'),
  entry('再試行', 'Idempotency-Keyを付けると安全に再試行できます。'),
  { ...entry('temperature', 'How random the answer is.'), isName: true },
  entry('Rotate a key', 'The old secret keeps working.'),
  entry('Tools', 'Let the model call your functions.'),
  entry('サーバーの設定', 'トークン数を受け取る'),
  entry('POST /chat/completions', 'Creates a chat completion.'),
]
const synonyms = { 'function calling': 'tools', リトライ: '再試行' }

const find = (typed: string, all = entries): string[] =>
  createFinder({ entries: all, synonyms })(typed).entries.map(({ heading }) => heading)

test('parts are found that contain every word, those named after it first', () => {
  expect(find('429')).toEqual(['429 Too many requests', 'Refusals'])
  expect(find(' Limit  RETRY-after ')).toEqual(['Refusals'])
  expect(find('再試行')).toEqual(['再試行'])
  expect(find('  ')).toEqual([])
  expect(find('nonsense')).toEqual([])
})

test('a few letters are found where a word begins with them, not inside another one', () => {
  const all = [entry('Storage', 'The disk is full.'), entry('Documents', 'Storage and retrieval (RAG)')]
  expect(find('rag', all)).toEqual(['Documents'])
  expect(find('tora', all)).toEqual(['Storage', 'Documents'])
})

test('words that are found nowhere do not hide what the others find', () => {
  expect(find('429 nonsense')).toEqual(['429 Too many requests', 'Refusals'])
  expect(find('how do I rotate my key?')).toContain('Rotate a key')
})

test('a word that is mistyped finds what was meant, and so does another form of it', () => {
  expect(find('temprature')).toEqual(['temperature'])
  expect(find('tempreature')).toEqual(['temperature'])
  expect(find('rotating keys')).toEqual(['Rotate a key'])
})

test('people’s own words find those of the pages', () => {
  expect(find('Function Calling')).toEqual(['Tools'])
  expect(find('リトライ')).toEqual(['再試行'])
})

test('an endpoint is found by its whole address', () => {
  const all = [entry('Agents', 'It uses `/v1/chat/completions`.'), ...entries]
  expect(find('/v1/chat/completions', all)[0]).toBe('POST /chat/completions')
  expect(find('POST http://localhost:8080/v1/chat/completions', all)[0]).toBe('POST /chat/completions')
})

test('one page does not fill the results', () => {
  const many = Array.from({ length: 9 }, (_, at) => entry('Stream', 'stream', '', `/docs/streaming#${at}`))
  expect(find('stream', [...many, entry('Resume', 'a stream')])).toEqual(['Stream', 'Stream', 'Stream', 'Resume'])
})

test('full-width letters, half-width kana and a missing long vowel find the same as the usual ones', () => {
  expect(find('ＩＤＥＭＰＯＴＥＮＣＹ')).toEqual(['再試行'])
  expect(find('ｻｰﾊﾞ')).toEqual(['サーバーの設定'])
  expect(find('トークン数を数える')).toEqual(['サーバーの設定'])
})
