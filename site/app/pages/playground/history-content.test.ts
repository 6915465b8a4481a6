import { expect, test } from 'vitest'
import { readContent } from './draft-content.ts'
import { conversationTitle, markOf, writeConversation } from './history-content.ts'
import { emptyState } from './playground-store.ts'
import { newAnswer, type Turn } from './turns.ts'

const sent = (text: string): Turn => ({ kind: 'sent', id: 't', text })

test('a conversation is named after the start of its first message, in one line', () => {
  expect(conversationTitle([sent('  Two\n\tlines\u202e \u0000here ')], 'm')).toBe('Two lines here')
  expect(conversationTitle([sent('長'.repeat(81))], 'm')).toBe(`${'長'.repeat(80)}…`)
  expect(conversationTitle([sent('')], 'helix-v1')).toBe('helix-v1')
})

test('another text has another mark', () => {
  expect(markOf('{"a":1}')).toBe(markOf('{"a":1}'))
  expect(markOf('{"a":1}')).not.toBe(markOf('{"a":2}'))
})

test('what is read again has the mark that it was saved with, also in mid-answer and with an image that was reduced', () => {
  const image = {
    kind: 'image' as const,
    name: 'a.png',
    type: 'image/jpeg',
    bytes: 3,
    data: 'AAAA',
    isReduced: true as const,
  }
  const thinking: Turn = {
    ...newAnswer({ model: 'm', isJson: false, row: { number: 1, text: 'Kyoto' } }),
    thought: { text: 'Hm', fromMs: 1, toMs: 2, isOver: false },
    calls: [{ id: 'c', name: 'n', arguments: '{', result: '' }],
    usage: { promptTokens: 1, completionTokens: 2 },
  }
  const turns: Turn[] = [{ kind: 'sent', id: 't', text: 'Look', attachments: [image] }, thinking]
  const text = writeConversation({ ...emptyState, system: 'Be kind', turns, variables: { city: 'Kyoto' } })
  const read = readContent(text)
  expect(read && writeConversation(read)).toBe(text)
})
