import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCuts, cutBytes } from '../../../test/harness/cut-bytes.ts'
import { createEventData } from './event-data.ts'
import { createEventLines } from './event-lines.ts'

const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, ''))
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

test('lines are the same wherever the bytes are cut, whatever ends them', () => {
  fc.assert(
    fc.property(fc.array(line), lineEnd, line, anyCuts, (lines, end, last, cuts) => {
      const bytes = Buffer.from(lines.map((text) => text + end).join('') + last)
      const splitter = createEventLines(1000)
      const read = cutBytes(bytes, cuts).map((part) => splitter.push(Buffer.from(part)))
      expect(read.join('') + splitter.end()).toBe([...lines, last].join('\n'))
    }),
  )
})

test('a line without an end is refused at the limit, in one part or in many', () => {
  expect(() => createEventLines(10).push(Buffer.alloc(11, 'a'))).toThrow(RangeError)
  const lines = createEventLines(10)
  for (let part = 0; part < 10; part += 1) lines.push(Buffer.from('a'))
  expect(() => lines.push(Buffer.from('a'))).toThrow(RangeError)
})

const read = (text: string): unknown[] => {
  const data = createEventData()
  return [...data.push(Buffer.from(text)), ...data.end()].map((value) => ('texts' in value ? value.texts : value.json))
}

test.each([
  ['blank lines between', 'data: {"a":1}\n\ndata: {"a":2}\n\n'],
  ['no blank lines', 'data: {"a":1}\ndata: {"a":2}\n'],
  ['no end of the last line', 'data: {"a":1}\n\ndata: {"a":2}'],
  ['one value over several lines', 'data: {"a":1}\n\ndata: {"a":\ndata: 2}\n\n'],
  ['other fields, comments and pings', ': hi\nid: 7\nevent: x\nretry: 1\ndata:{"a":1}\n\n:\n\ndata: {"a":2}\n\n'],
  ['values after [DONE]', 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\ndata: {"a":3}\n\n'],
])('values are read: %s', (_, text) => {
  expect(read(text)).toEqual([{ a: 1 }, { a: 2 }])
})

test('what is not JSON is refused, and the error does not quote it', () => {
  expect(() => read('data: secret\n\n')).toThrow(/^(?!.*secret)/)
})
