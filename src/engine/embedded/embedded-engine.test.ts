import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatDescription } from '../../../test/harness/chat-description.ts'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { systemClock } from '../../base/clock.ts'
import type { EngineEvent, Sampling } from '../contract.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './embedded-engine.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal
const sampling: Sampling = { ...openSampling, maxTokens: 9 }
const defaults = { temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }

let folder: string
let engine: EmbeddedEngine
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-engine-'))
})
afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

const ready =
  "send({ type: 'ready', opened: { contextTokens: 50, vocabularyTokens: 9, features: ['tools'], memory: { weights: 1, cache: 1, buffers: 1 }, gpuFault: null }, processBytes: 1 })"

/** An engine whose process is a real one, with a script in the place of the model. */
const start = async (onGenerate: string, onLoad = ready) => {
  const workerPath = join(folder, 'worker.mjs')
  await writeFile(
    workerPath,
    `const send = (message) => process.send(message)
     const say = (...messages) => send({ type: 'requests', messages })
     const token = (id, text) => say({ type: 'token', id, token: 1, bytes: Buffer.from(text) })
     const end = (id) => say({ type: 'end', id, reason: 'stop', cachedTokens: 0, completionTokens: 1 })
     process.on('disconnect', () => process.exit())
     process.on('message', ({ type, id, tokens, conversation }) => {
       if (type === 'ping') send({ type: 'pong', progress: null })
       if (type === 'load') { ${onLoad} }
       if (type === 'prepare') {
         const said = conversation.messages.map(({ content }) => content).join()
         if (said === 'refuse') say({ type: 'failed', id, failure: { kind: 'template_refused', reason: 'not this' } })
         else if (said === 'long') say({ type: 'too_long', id, counted: 99, complete: true, cpuMs: 12 })
         else if (conversation.rawPrompt === '') say({ type: 'prepared', id, tokens: Uint32Array.of() })
         else if (said !== 'silence') say({ type: 'prepared', id, tokens: Uint32Array.of(1, 2, 3) })
       }
       if (type === 'generate') { ${onGenerate} }
       if (type === 'cancel') console.error('cancelled', id)
     })`,
  )
  const printed: string[] = []
  const heard = Promise.withResolvers<void>()
  engine = openEmbeddedEngine({
    modelFiles: {
      served: { id: 'm', created: 1, ownedBy: 'o', contextTokens: 100, vocabularyTokens: null, features: null },
      defaults,
      weightsPath: '',
      files: [],
      description: chatDescription,
      endTokens: { texts: [], ids: [] },
    },
    slots: 2,
    threads: 1,
    clock: systemClock,
    log: {
      ...quiet,
      warn: (_, fields) => {
        printed.push(String(fields?.text))
        heard.resolve()
      },
    },
    workerPath,
  })
  return { engine, printed, heard: heard.promise }
}
test('a process that says nothing about a GPU has no fault', async () => {
  const { engine, printed } = await start('', ready.replace(', gpuFault: null', ''))
  await engine.firstLoad
  expect(engine.process()).toMatchObject({ gpuFault: null })
  expect(printed).toEqual([])
})

const startReady = async (onGenerate: string) => {
  const started = await start(onGenerate)
  await started.engine.firstLoad
  return started
}
const prepare = (content = 'hello', signal = never) => engine.prepare(talk(content), signal)

test('tokens come as their bytes and end with the counts', async () => {
  await startReady("token(id, 'Hi'); end(id)")
  const prompt = await prepare()
  expect(prompt).toMatchObject({ promptTokens: 3, promptTokenIds: [1, 2, 3] })
  const events = await Array.fromAsync(prompt.generate(sampling, never))
  expect(events[0]).toMatchObject({ type: 'token', id: 1, bytes: Buffer.from('Hi') })
  expect(events[1]).toEqual({ type: 'end', reason: 'stop', promptTokens: 3, cachedTokens: 0, completionTokens: 1 })
  expect(engine.active()).toBe(0)
})

test('the model is served with the context that the engine can really hold, and with what it can do', async () => {
  const { engine } = await start('')
  expect(engine.model).toMatchObject({ contextTokens: 100, vocabularyTokens: null, features: null })
  await engine.firstLoad
  const opened = { contextTokens: 50, vocabularyTokens: 9, features: new Set(['tools']) }
  expect(engine.model).toMatchObject({ id: 'm', ...opened })
})

test('probabilities come with their token', async () => {
  await startReady(
    "say({ type: 'token', id, token: 1, bytes: Buffer.from('a'), logprob: { logprob: -1, rank: 0, top: [] } }); end(id)",
  )
  const [first] = await Array.fromAsync((await prepare()).generate({ ...sampling, topLogprobs: 0 }, never))
  expect(first).toMatchObject({ type: 'token', logprob: { logprob: -1, rank: 0, top: [] } })
})

test('while the model loads a request is told when to come again', async () => {
  await start('', '')
  const error = await prepare().catch((error: unknown) => error)
  expect(error).toMatchObject({ errorName: 'engine_loading' })
  expect((error as { options: { retryAfterMs: number } }).options.retryAfterMs).toBeGreaterThanOrEqual(1000)
})

test('messages that the template refuses are a client error with its reason', async () => {
  await startReady('')
  await expect(prepare('refuse')).rejects.toMatchObject({ errorName: 'template_refused', message: /not this/ })
})

test('a raw prompt without tokens, or without room for an answer, is refused by its name', async () => {
  await startReady('')
  const raw = (rawPrompt: string, content = '') => engine.prepare({ ...talk(content), rawPrompt }, never)
  await expect(raw('')).rejects.toMatchObject({ errorName: 'refused_value', options: { param: 'prompt' } })
  const tooLong = { errorName: 'context_length_exceeded', options: { param: 'prompt' } }
  await expect(raw('a', 'long')).rejects.toMatchObject(tooLong)
})

test('a prompt without room for an answer is counted and refused', async () => {
  await startReady('')
  await expect(prepare('long')).rejects.toMatchObject({
    errorName: 'context_length_exceeded',
    message: expect.stringContaining('resulted in 99 tokens'),
    // It counts against the caller.
    options: { cpuMs: 12 },
  })
})

test('a process that dies fails what it was working on, after the tokens that had come', async () => {
  await startReady("token(id, 'Hi'); setImmediate(() => process.exit(3))")
  const prompt = await prepare()
  const silent = prepare('silence')
  silent.catch(() => {})
  const seen: EngineEvent[] = []
  const reading = (async () => {
    for await (const event of prompt.generate(sampling, never)) seen.push(event)
  })()
  await expect(reading).rejects.toMatchObject({ errorName: 'engine_failed' })
  await expect(silent).rejects.toMatchObject({ errorName: 'engine_failed' })
  expect(seen).toMatchObject([{ type: 'token', bytes: Buffer.from('Hi') }])
  expect(engine.active()).toBe(0)
})

test('an abort throws its reason and cancels in the process', async () => {
  const { heard, printed } = await startReady("token(id, 'Hi')")
  const abort = new AbortController()
  const prompt = await prepare()
  const reading = (async () => {
    for await (const _ of prompt.generate(sampling, abort.signal)) abort.abort(new Error('left'))
  })()
  await expect(reading).rejects.toThrow('left')
  await heard
  expect(printed).toEqual(['cancelled 2'])
  expect(engine.active()).toBe(0)
})

test('an abort ends a wait for the first token', async () => {
  const { heard } = await startReady('')
  const abort = new AbortController()
  const prompt = await prepare()
  const first = prompt.generate(sampling, abort.signal)[Symbol.asyncIterator]().next()
  abort.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  await heard
})

test('leaving the loop cancels in the process', async () => {
  const { heard, printed } = await startReady("token(id, 'Hi'); token(id, 'there')")
  const prompt = await prepare()
  for await (const _ of prompt.generate(sampling, never)) break
  await heard
  expect(printed).toEqual(['cancelled 2'])
})

test('an aborted preparation throws its reason', async () => {
  await startReady('')
  const abort = new AbortController()
  const waiting = prepare('silence', abort.signal)
  abort.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})

test('after closing nothing more is taken', async () => {
  await startReady('')
  await engine.close()
  await expect(prepare()).rejects.toMatchObject({ errorName: 'shutting_down' })
})
