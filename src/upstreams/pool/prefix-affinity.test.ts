import { expect, test } from 'vitest'
import { talk } from '../../../test/harness/engine-request.ts'
import type { ChatMessage, Conversation } from '../../engine/contract.ts'
import { writePrompt } from '../../engine/remote/write-prompt.ts'
import { computePrefixKeys, createPrefixAffinity } from './prefix-affinity.ts'

const anyone = (): boolean => true
const long = 'You are a helpful assistant. '.repeat(60)
const system: ChatMessage = { role: 'system', content: long }
const user = (content: string): ChatMessage => ({ role: 'user', content })
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })

test('the turns of a conversation go to the upstream that had the last one', () => {
  const affinity = createPrefixAffinity()
  const first = computePrefixKeys(talk([system, user('Hi')]))
  affinity.remember(first, 'a')
  const second = computePrefixKeys(talk([system, user('Hi'), assistant('Hello'), user('And now?')]))
  expect(affinity.find(second, anyone)).toBe('a')
  affinity.remember(computePrefixKeys(talk([system, user('Another')])), 'b')
  expect(affinity.find(second, anyone)).toBe('a')
  expect(affinity.find(second, (name) => name !== 'a')).toBe('b')
})

test('a conversation without a system prompt is known by its first message', () => {
  const affinity = createPrefixAffinity()
  affinity.remember(computePrefixKeys(talk([user(long)])), 'a')
  expect(affinity.find(computePrefixKeys(talk([user(long), assistant('Yes'), user('More')])), anyone)).toBe('a')
  expect(affinity.find(computePrefixKeys(talk([user(`${long}!`)])), anyone)).toBeNull()
})

test('a prompt that was written before has the same keys as one that was not', () => {
  const messages = [system, user(long.repeat(50)), assistant('Yes'), user('More')]
  const { messages: _, ...rest } = talk(messages, { written: writePrompt({ messages, tools: [] }) })
  const unread: Conversation = {
    ...rest,
    get messages(): never {
      throw new Error('the messages were read')
    },
  }
  expect(computePrefixKeys(unread)).toEqual(computePrefixKeys(talk(messages)))
})

test('prompts of other organisations are not recognised', () => {
  const affinity = createPrefixAffinity()
  affinity.remember(computePrefixKeys(talk([system, user('Hi')], { cacheScope: 'one' })), 'a')
  expect(affinity.find(computePrefixKeys(talk([system, user('Hi')], { cacheScope: 'two' })), anyone)).toBeNull()
})

test('short prompts have no keys', () => {
  expect(computePrefixKeys(talk('Hi'))).toEqual([])
})

test('the table is bounded, and forgets what was not used for the longest time', () => {
  const affinity = createPrefixAffinity()
  for (let index = 0; index < 10_000; index += 1) affinity.remember([`key ${index}`], 'a')
  affinity.remember(['key 0'], 'a')
  affinity.remember(['one more'], 'b')
  expect(affinity.size).toBe(10_000)
  expect(affinity.find(['key 1'], anyone)).toBeNull()
  expect(affinity.find(['key 0'], anyone)).toBe('a')
})
