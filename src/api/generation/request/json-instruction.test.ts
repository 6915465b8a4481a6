import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../engine/contract.ts'
import { withJsonInstruction } from './json-instruction.ts'

const told = 'Respond with a JSON object.'
const user: ChatMessage = { role: 'user', content: 'Hi' }
const assistant: ChatMessage = { role: 'assistant', content: 'Yes?' }

test.each<[string, ChatMessage[], ChatMessage[]]>([
  ['that mentions it', [user, { ...user, content: 'As Json' }], [user, { ...user, content: 'As Json' }]],
  ['without a system message', [assistant, user, user], [assistant, { ...user, content: `Hi\n\n${told}` }, user]],
  [
    'with a system message',
    [{ role: 'system', content: 'Be brief.' }, user],
    [{ role: 'system', content: `Be brief.\n\n${told}` }, user],
  ],
  ['of the assistant alone', [assistant], [{ role: 'system', content: told }, assistant]],
  ['with an empty message', [{ ...user, content: '' }], [{ ...user, content: told }]],
])('a conversation %s mentions JSON once', (_, conversation, expected) => {
  expect(withJsonInstruction(conversation)).toEqual(expected)
})

test('a message with an image has it as a part too', () => {
  const origin = { path: 'messages[0].content[0]', type: 'image_url', error: null }
  const image = { type: 'image' as const, url: 'https://example.com/a.png', bytes: null, origin }
  const [message] = withJsonInstruction([{ role: 'user', content: '', parts: [image] }])
  expect(message).toEqual({ role: 'user', content: told, parts: [image, { type: 'text', text: told }] })
})
