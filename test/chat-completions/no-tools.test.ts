import { beforeAll, expect, test } from 'vitest'
import type { Sampling } from '../../src/engine/contract.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let asked: Sampling[] = []
beforeAll(async () => {
  helix = await openHelix({
    answer(_, sampling) {
      asked.push(sampling)
      return ['ok']
    },
  })
  return helix.close
})
const withoutText = async (body: Record<string, unknown>): Promise<unknown> => {
  asked = []
  expect((await helix.chat(body)).status).toBe(200)
  return asked.map((sampling) => sampling.withoutText)
}
const tools = [{ type: 'function', function: { name: 'f' } }]
const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

test.each<[string, Record<string, unknown>]>([
  ['no tools', {}],
  ['no tools, several choices', { n: 2 }],
  ['tools that must not be called', { tools, tool_choice: 'none' }],
  [
    'calls in the history alone',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    },
  ],
])('%s: the model is kept from beginning a call, which would come out as text', async (_, body) => {
  const barred = await withoutText(body)
  expect(new Set(barred as string[])).toEqual(new Set(['<tool_call>']))
})

test('with tools, or with a response format, no token is excluded', async () => {
  expect(await withoutText({ tools })).toEqual([null])
  expect(await withoutText({ guided_choice: ['<tool_call>', 'b'] })).toEqual([null])
})
