import { expect, test } from 'vitest'
import { conversationTitle, markOf } from './history-content.ts'
import type { Turn } from './turns.ts'

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
