import { expect, test } from 'vitest'
import { openSampling, talk } from '../../test/harness/engine-request.ts'
import { ApiError } from '../base/api-error.ts'
import type { EngineEvent, Sampling } from './contract.ts'
import { openScriptedEngine, type Script } from './scripted.ts'

const sampling = (maxTokens = 100): Sampling => ({ ...openSampling, maxTokens })
const never = new AbortController().signal
const begin = async (answer: Script, options: { maxTokens?: number; signal?: AbortSignal } = {}) => {
  const engine = openScriptedEngine({ answer })
  const prompt = await engine.prepare(talk('hello world'), never)
  return { engine, prompt, events: prompt.generate(sampling(options.maxTokens), options.signal ?? never) }
}
const text = (events: EngineEvent[]) =>
  Buffer.concat(events.map((event) => (event.type === 'token' ? event.bytes : new Uint8Array()))).toString()

test('the script arrives as tokens, then the counts', async () => {
  const { prompt, events } = await begin(() => ['Hel', Buffer.from('lo')])
  const all = await Array.fromAsync(events)
  expect(text(all)).toBe('Hello')
  expect(prompt.promptTokens).toBe(4)
  expect(all.at(-1)).toEqual({ type: 'end', reason: 'stop', promptTokens: 4, cachedTokens: 0, completionTokens: 2 })
})

test('it stops at the token limit', async () => {
  const { events } = await begin(() => ['a', 'b', 'c'], { maxTokens: 2 })
  const all = await Array.fromAsync(events)
  expect(text(all)).toBe('ab')
  expect(all.at(-1)).toMatchObject({ type: 'end', reason: 'length', completionTokens: 2 })
})

test('an abort during a pause throws its reason and frees the slot', async () => {
  const abort = new AbortController()
  const { engine, events } = await begin(() => ['a', { pause: new Promise(() => {}) }], { signal: abort.signal })
  const reading = (async () => {
    for await (const _ of events) abort.abort(new Error('gone'))
  })()
  await expect(reading).rejects.toThrow('gone')
  expect(engine.active()).toBe(0)
})

test('leaving the loop frees the slot', async () => {
  const { engine, events } = await begin(() => ['a', 'b'])
  for await (const _ of events) {
    expect(engine.active()).toBe(1)
    break
  }
  expect(engine.active()).toBe(0)
})

test('a scripted failure is thrown after what came before it', async () => {
  const { events } = await begin(() => ['a', { fail: ApiError.of('engine_failed', {}) }])
  const seen: EngineEvent[] = []
  const reading = (async () => {
    for await (const event of events) seen.push(event)
  })()
  await expect(reading).rejects.toMatchObject({ errorName: 'engine_failed' })
  expect(text(seen)).toBe('a')
})

test('an engine that is set to loading says so', async () => {
  const engine = openScriptedEngine({ answer: () => [] })
  engine.setState('loading')
  await expect(engine.prepare(talk([]), never)).rejects.toMatchObject({ errorName: 'engine_loading' })
})
