import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { chatModel } from '../scripts/tiny-models/chat-model.ts'
import { type GgufContents, ggufBytes } from '../scripts/tiny-models/gguf-bytes.ts'
import { systemClock } from '../src/base/clock.ts'
import type { Sampling } from '../src/engine/contract.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../src/engine/model-folder.ts'
import { endsWithFile } from './harness/ends-with-file.ts'
import { openSampling, talk } from './harness/engine-request.ts'
import { engineThreads } from './harness/engine-threads.ts'
import { openTinyEngine } from './harness/open-tiny-engine.ts'
import { postChat } from './harness/post-chat.ts'
import { runProgram } from './harness/run-program.ts'
import { scratchPath } from './harness/scratch-path.ts'
import { startProgram } from './harness/start-program.ts'

const workerPath = fileURLToPath(new URL('../src/engine-process.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal
const folder = scratchPath()

const writeModel = (name: string, contents: GgufContents): string => {
  const path = join(folder, `${name}.gguf`)
  writeFileSync(path, ggufBytes(contents))
  return path
}

/** A model all of whose logits are this, or NaN. */
const brokenModel = (name: string, weight: number): string => {
  const { metadata, tensors } = chatModel({ name, seed: 1 })
  const broken = tensors.map((tensor) =>
    tensor.name === 'output.weight' ? { ...tensor, values: tensor.values.map(() => weight) } : tensor,
  )
  return writeModel(name, { metadata, tensors: broken })
}

const tokensOf = async (engine: EmbeddedEngine, requested: Partial<Sampling>): Promise<number[]> => {
  const prompt = await engine.prepare(talk('Who lives by the river?'), never)
  const sampling = { ...openSampling, temperature: 0, seed: 7, maxTokens: 12, ignoreEnd: true, ...requested }
  const events = await Array.fromAsync(prompt.generate(sampling, never))
  return events.flatMap((event) => (event.type === 'token' ? [event.id ?? -1] : []))
}

let engine: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-chat')
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
})

test('a bias of 100 or -100 on every token changes nothing', async () => {
  const everything = (bias: number) => Array.from({ length: 300 }, (_, id): [number, number] => [id, bias])
  for (const temperature of [0, 1]) {
    const plain = await tokensOf(engine, { temperature })
    expect(plain).toHaveLength(12)
    for (const bias of [100, -100])
      expect(await tokensOf(engine, { temperature, logitBias: everything(bias) })).toEqual(plain)
  }
})

test.each([
  ['the highest', { frequencyPenalty: 2, presencePenalty: 2, repetitionPenalty: 2 }],
  ['the lowest', { frequencyPenalty: -2, presencePenalty: -2, repetitionPenalty: 0.01 }],
])('%s penalties give an answer of the length asked for', async (_, penalties) => {
  for (const temperature of [0, 2])
    for (const filters of [{}, { topK: 40 }, { topP: 0.9 }, { minP: 0.1 }])
      expect(await tokensOf(engine, { temperature, ...filters, ...penalties })).toHaveLength(12)
})

test('a vocabulary of 256,000 tokens is sampled with every filter', async () => {
  const unusedTokens = 256_000 - 269
  const path = writeModel('large', chatModel({ name: 'large', seed: 6, unusedTokens }))
  const modelFiles = await readModel(path)
  const large = openEmbeddedEngine({
    ...{ modelFiles, slots: 1, threads: engineThreads, clock: systemClock, log: silent, workerPath },
  })
  endsWithFile(() => large.close())
  expect(await large.firstLoad).toEqual({ outcome: 'ready' })
  expect(large.model.vocabularyTokens).toBe(256_000)
  for (const filters of [{}, { topK: 40 }, { topK: 100_000 }, { topP: 0.95 }, { minP: 0.01 }, { topLogprobs: 20 }]) {
    const tokens = await tokensOf(large, { temperature: 2, ...filters })
    expect(tokens).toHaveLength(12)
    expect(await tokensOf(large, { temperature: 2, ...filters })).toEqual(tokens)
    expect(tokens.some((id) => id > 269)).toBe(true)
  }
})

test('logits that are not finite are an error of the request; the server and the next request go on', async () => {
  const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ env })
  const models = { nan: Number.NaN, infinite: Number.POSITIVE_INFINITY }
  for (const [name, weight] of Object.entries(models))
    await runProgram(['models', 'add', brokenModel(name, weight), '--data-dir', program.dataDir], { env })
  const service = { url: program.url, key: await program.createKey() }
  for (const model of Object.keys(models))
    for (const fields of [{ temperature: 0 }, { temperature: 1, top_p: 0.9 }, { logprobs: true, top_logprobs: 5 }]) {
      const response = await postChat(service, 'Hi', { model, max_tokens: 4, ...fields })
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ error: { code: 'engine_failed' } })
    }
  expect(program.stderr.lines.filter((line) => line.includes('"engine_exited"'))).toEqual([])
  expect(await program.stop()).toBe(0)
})
