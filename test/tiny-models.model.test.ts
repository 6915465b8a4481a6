import { expect, test } from 'vitest'
import type { EngineEvent } from '../src/engine/contract.ts'
import { openSampling, talk } from './harness/engine-request.ts'
import { openTinyEngine } from './harness/open-tiny-engine.ts'

const never = new AbortController().signal

test('the tiny chat model answers, the same each time at temperature 0', async () => {
  const engine = await openTinyEngine('tiny-chat')
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
  const answer = async () => {
    const prompt = await engine.prepare(talk('Who lives by the river?'), never)
    const events: EngineEvent[] = []
    const sampling = { ...openSampling, temperature: 0, maxTokens: 8, ignoreEnd: true }
    for await (const event of prompt.generate(sampling, never)) events.push(event)
    return events.flatMap((event) => (event.type === 'token' ? [event.id] : []))
  }
  const tokens = await answer()
  expect(tokens).toHaveLength(8)
  expect(await answer()).toEqual(tokens)
})

test.each([
  ['tiny-no-template', /does not contain a chat template/],
  ['tiny-unknown-architecture', /unknown model architecture: 'unheard-of'/],
] as const)('%s is refused by the engine process too, with a clear line', async (name, reason) => {
  const engine = await openTinyEngine('tiny-chat', name)
  expect(await engine.firstLoad).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(reason) })
})
