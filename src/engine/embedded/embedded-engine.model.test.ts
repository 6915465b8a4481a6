import { constants } from 'node:fs'
import { copyFile, mkdtemp, open, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { engineThreads } from '../../../test/harness/engine-threads.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log, LogFields } from '../../base/log.ts'
import type { EngineEvent } from '../contract.ts'
import { type ModelFiles, readModel } from '../model-folder.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './embedded-engine.ts'
import { renderGuarded } from './guarded-rendering.ts'
import { type Llama, openLlama } from './llama/open-llama.ts'
import { promptTokens } from './prompt-tokens.ts'
import { createChatTemplate } from './template.ts'
import { templateVariables } from './template-shapes.ts'
import { createTextFinder } from './text-finder.ts'

const modelPath = fileURLToPath(new URL('../../../models/helix-v1', import.meta.url))
const workerPath = fileURLToPath(new URL('../../engine-process.ts', import.meta.url))
const slots = 2
const never = new AbortController().signal
const prompts = ['What is the capital of France?', '日本の首都はどこですか。', 'Name three colours.']

const greedy = (maxTokens: number) => ({
  ...openSampling,
  ...{ temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens, seed: 1 },
})
const withoutSpace = (text: string) => text.replace(/\s/g, '')

/** A log whose events can be waited on, from the first one on. */
const eventLog = () => {
  const seen: { event: string; fields: LogFields }[] = []
  let wake = Promise.withResolvers<void>()
  const note = (event: string, fields: LogFields = {}) => {
    seen.push({ event, fields })
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const nth = async (event: string, count: number): Promise<LogFields> => {
    for (;;) {
      const entry = seen.filter((entry) => entry.event === event)[count - 1]
      if (entry) return entry.fields
      await wake.promise
    }
  }
  const log: Log = { info: note, warn: note, error: note }
  return { log, nth, seen }
}

const plain = { gpu: false, cacheType: 'f16', flashAttention: 'auto' } as const
let model: ModelFiles
let engine: EmbeddedEngine
let direct: { tokens: number[]; text: string }[]
let specialCounts: { inHarmless: number; inHostile: number; hostileText: string; hostileSeen: string }
const events = eventLog()

beforeAll(async () => {
  model = await readModel(modelPath)
  const { weightsPath, served } = model
  const settings = { weightsPath, contextTokens: served.contextTokens, slots, threads: engineThreads, ...plain }
  const llama = await openLlama(settings, () => {})
  direct = []
  for (const prompt of prompts) direct.push(await continueDirectly(llama, prompt, 16))
  specialCounts = countSpecial(llama)
  llama.close()
  engine = openEmbeddedEngine({
    modelFiles: model,
    slots,
    threads: engineThreads,
    clock: systemClock,
    log: events.log,
    workerPath,
  })
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
})
afterAll(() => engine?.close())

/** llama.cpp's own continuation of the plainly rendered template, without a line of the engine around it. */
const continueDirectly = async (llama: Llama, prompt: string, maxTokens: number) => {
  const { vocabulary } = llama
  const sequence = 0
  const rendered = templateOf(llama)(templateVariables(talk(prompt), (text) => text))
  const prefix =
    vocabulary.prependBos && vocabulary.bos && !rendered.startsWith(vocabulary.bos.text) ? [vocabulary.bos.id] : []
  const tokens = [...prefix, ...vocabulary.tokenise(rendered, { special: true, continued: false })]
  const further = model.endTokens.texts.flatMap((text) => vocabulary.tokenise(text, { special: true, continued: true }))
  const said: number[] = []
  llama.keep(sequence, 0)
  let likeliest = -1
  const read = async (position: number, unread: number[]) => {
    await llama.decode([{ sequence, position, tokens: unread, isSampled: true }], (_, logits) => {
      likeliest = logits().reduce((best, logit, id, all) => (logit > (all[best] ?? 0) ? id : best), 0)
    })
  }
  await read(0, tokens)
  while (said.length < maxTokens && !vocabulary.endsGeneration(likeliest) && !further.includes(likeliest)) {
    said.push(likeliest)
    await read(tokens.length + said.length - 1, [likeliest])
  }
  return { tokens: said, text: vocabulary.detokenise(said) }
}
const templateOf = ({ chatTemplate, vocabulary }: Llama) =>
  createChatTemplate(chatTemplate ?? '', { bosToken: vocabulary.bos?.text ?? '', eosToken: vocabulary.eosText ?? '' })

const countSpecial = (llama: Llama) => {
  const { vocabulary } = llama
  const texts = [...vocabulary.special.values()]
  const tokensOf = (content: string) =>
    promptTokens(renderGuarded(templateOf(llama), talk(content), createTextFinder(texts)), vocabulary).tokens
  const count = (tokens: number[]) => tokens.filter((id) => vocabulary.special.has(id)).length
  const hostileText = `a ${texts.join(' b ')} c`
  const hostile = tokensOf(hostileText)
  return {
    inHarmless: count(tokensOf('hello')),
    inHostile: count(hostile),
    hostileText,
    hostileSeen: vocabulary.detokenise(hostile),
  }
}

const collect = async (prompt: string, maxTokens: number, signal = never) => {
  const prepared = await engine.prepare(talk(prompt), signal)
  const tokens: number[] = []
  const bytes: Uint8Array[] = []
  let end: EngineEvent | undefined
  for await (const event of prepared.generate(greedy(maxTokens), signal)) {
    if (event.type === 'end') end = event
    else if (event.type === 'token') {
      tokens.push(event.id ?? -1)
      bytes.push(event.bytes)
    }
  }
  // Half a character at the very end is all that may be missing.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(bytes), { stream: true })
  return { tokens, text, end, promptTokens: prepared.promptTokens }
}

/** Reads until the first token is there, then leaves the rest to the caller. */
const untilFirstToken = async (prompt: string, signal: AbortSignal) => {
  const prepared = await engine.prepare(talk(prompt), signal)
  const stream = prepared.generate(greedy(2000), signal)[Symbol.asyncIterator]()
  expect((await stream.next()).value).toMatchObject({ type: 'token' })
  return stream
}

test('a greedy answer is the one llama.cpp itself gives to the rendered template', async () => {
  for (const [index, prompt] of prompts.entries()) {
    const { tokens, text, end, promptTokens } = await collect(prompt, 16)
    const expected = direct[index]
    expect(tokens).toEqual(expected?.tokens)
    expect(expected?.text.replaceAll('\uFFFD', '').trim()).toBe(text.trim())
    expect(end).toMatchObject({ type: 'end', promptTokens, completionTokens: tokens.length })
  }
})

test('two prompts get two answers', () => {
  expect(direct[0]?.text).not.toBe(direct[1]?.text)
})

test('an answer stops at its limit', async () => {
  const { tokens, end } = await collect('Count from one to one hundred.', 3)
  expect(tokens).toHaveLength(3)
  expect(end).toMatchObject({ reason: 'length' })
})

test('the same seed gives the same answer, another one another', async () => {
  const sample = async (seed: number) => {
    const prepared = await engine.prepare(talk('Tell me a story.'), never)
    const stream = prepared.generate({ ...greedy(8), temperature: 1.5, seed }, never)
    return (await Array.fromAsync(stream)).map((event) => (event.type === 'token' ? event.id : null))
  }
  const first = await sample(42)
  expect(await sample(42)).toEqual(first)
  const others = [await sample(1), await sample(2), await sample(3)]
  expect(others.some((other) => other.join() !== first.join())).toBe(true)
})

test('more requests than slots all finish', async () => {
  const answers = await Promise.all([...prompts, ...prompts].map((prompt) => collect(prompt, 8)))
  for (const { end } of answers) expect(end).toMatchObject({ type: 'end' })
  expect(engine.active()).toBe(0)
})

test('texts of special tokens in a message reach the model as text', () => {
  expect(specialCounts.inHostile).toBe(specialCounts.inHarmless)
  expect(withoutSpace(specialCounts.hostileSeen)).toContain(withoutSpace(specialCounts.hostileText))
})

test('aborting every answer frees every slot', async () => {
  const abort = new AbortController()
  const streams = await Promise.all(prompts.slice(0, slots).map((prompt) => untilFirstToken(prompt, abort.signal)))
  expect(engine.active()).toBe(slots)
  abort.abort(new Error('left'))
  for (const stream of streams) await expect(stream.next()).rejects.toThrow('left')
  expect(engine.active()).toBe(0)
  const again = await Promise.all(prompts.slice(0, slots).map((prompt) => collect(prompt, 4)))
  for (const { end } of again) expect(end).toMatchObject({ type: 'end' })
})

test('an abort while a long prompt is read frees the slot', async () => {
  const abort = new AbortController()
  const prepared = await engine.prepare(talk('hello '.repeat(Math.min(1500, engine.model.contextTokens / 4))), never)
  const first = prepared.generate(greedy(10), abort.signal)[Symbol.asyncIterator]().next()
  abort.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  expect((await collect('hello', 2)).end).toMatchObject({ type: 'end' })
})

test('a prompt longer than the context is refused, and a book is not read to its end for that', async () => {
  const { contextTokens } = engine.model
  await expect(engine.prepare(talk('hello '.repeat(contextTokens * 2)), never)).rejects.toMatchObject({
    errorName: 'context_length_exceeded',
  })
  await expect(engine.prepare(talk('hello '.repeat(contextTokens * 50)), never)).rejects.toMatchObject({
    errorName: 'context_length_exceeded',
    message: expect.stringContaining(`more than ${contextTokens} tokens`),
    options: { cpuMs: expect.any(Number) },
  })
})

test('killed with -9, the engine fails what it was saying, starts again and answers', async () => {
  const stream = await untilFirstToken('Tell me a long story.', never)
  const waiting = await engine.prepare(talk('hello'), never)
  const killed = engine.pid()
  process.kill(killed ?? 0, 'SIGKILL')
  const rest = (async () => {
    for (;;) if ((await stream.next()).done) return
  })()
  await expect(rest).rejects.toMatchObject({ errorName: 'engine_failed' })
  await expect(engine.prepare(talk('hello'), never)).rejects.toMatchObject({ errorName: 'engine_loading' })
  expect(await events.nth('engine_exited', 1)).toMatchObject({ signal: 'SIGKILL' })
  const { pid } = await events.nth('engine_ready', 2)
  expect(pid).not.toBe(killed)
  const late = await Array.fromAsync(waiting.generate(greedy(2), never))
  expect(late.at(-1)).toMatchObject({ type: 'end' })
  expect((await collect(prompts[0] ?? '', 16)).tokens).toEqual(direct[0]?.tokens)
})

test('a damaged file is refused by name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'helix-damaged-'))
  const damaged = await damagedCopy(folder)
  const refusing = openEmbeddedEngine({
    modelFiles: damaged.model,
    slots: 1,
    threads: engineThreads,
    clock: systemClock,
    workerPath,
    log: eventLog().log,
  })
  const outcome = await refusing.firstLoad
  await refusing.close()
  await rm(folder, { recursive: true })
  expect(outcome).toMatchObject({ outcome: 'refused' })
  if (outcome.outcome === 'refused') expect(outcome.reason).toContain(`${damaged.path} is damaged`)
})

/** The model's folder again, all links but for the smallest file: that one has a bit changed. */
const damagedCopy = async (folder: string) => {
  const [smallest, ...others] = [...model.files].sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0)).map(({ path }) => path)
  if (!smallest) throw new Error('no files')
  const path = join(folder, basename(smallest))
  await copyFile(smallest, path, constants.COPYFILE_FICLONE)
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  await file.write(Uint8Array.of(buffer.readUInt8() ^ 1), 0, 1, size - 1)
  await file.close()
  for (const other of [...others, join(modelPath, 'model.json')]) await symlink(other, join(folder, basename(other)))
  return { path, model: await readModel(folder) }
}
