import { expect, test } from 'vitest'
import type { ChatMessage } from '../../src/engine/contract.ts'
import { readCompletion } from '../harness/ask-both-ways.ts'
import { startHelix } from '../harness/start-helix.ts'

const response_format = { type: 'json_object' }
const startListening = async () => {
  let heard: readonly ChatMessage[] = []
  const helix = await startHelix({
    answer(messages) {
      heard = messages
      return ['{}']
    },
  })
  return { helix, heard: () => heard.map(({ role, content }) => `${role}: ${content}`) }
}

test('json_object without the word is accepted; the model is told, and that counts as prompt tokens', async () => {
  const { helix, heard } = await startListening()
  const messages = [{ role: 'user', content: 'Name a city.' }]
  const { usage: plain } = await readCompletion(await helix.chat({ messages }))
  const { usage, choices } = await readCompletion(await helix.chat({ messages, response_format }))
  expect(choices[0]?.message.content).toBe('{}')
  expect(heard()).toEqual(['user: Name a city.\n\nRespond with a JSON object.'])
  const spelled = [{ role: 'user', content: 'Name a city.\n\nRespond with a JSON object.' }]
  const { usage: counted } = await readCompletion(await helix.chat({ messages: spelled }))
  expect(usage.prompt_tokens).toBe(counted.prompt_tokens)
  expect(usage.prompt_tokens).toBeGreaterThan(plain.prompt_tokens)
})

test('a conversation that mentions JSON is left as it is', async () => {
  const { helix, heard } = await startListening()
  const messages = [
    { role: 'system', content: 'Answer as json.' },
    { role: 'user', content: 'Name a city.' },
  ]
  expect((await helix.chat({ messages, response_format })).status).toBe(200)
  expect(heard()).toEqual(['system: Answer as json.', 'user: Name a city.'])
})
