import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ggufBytes, texts } from '../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../src/base/clock.ts'
import { openEmbeddedEngine } from '../src/engine/embedded/embedded-engine.ts'
import { type ModelFiles, readModel } from '../src/engine/model-folder.ts'
import { engineThreads } from './harness/engine-threads.ts'
import { mutateGguf, mutations } from './harness/mutate-gguf.ts'
import { postChat } from './harness/post-chat.ts'
import { runProgram } from './harness/run-program.ts'
import { scratchPath } from './harness/scratch-path.ts'
import { startProgram } from './harness/start-program.ts'

const workerPath = fileURLToPath(new URL('../src/engine-process.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const loads = Number(process.env.HELIX_FUZZ_RUNS ?? 24)

const chat = tinyModels['tiny-chat']()
const whole = ggufBytes(chat)
const none = new Float32Array()
const headBytes = ggufBytes({ ...chat, tensors: chat.tensors.map((tensor) => ({ ...tensor, values: none })) }).length
const folder = scratchPath()

/** The first mutated files that the server does not refuse itself. */
const acceptedFiles = async (count: number): Promise<ModelFiles[]> => {
  const accepted: ModelFiles[] = []
  for (const [index, changes] of fc.sample(mutations, 100 * count).entries()) {
    if (accepted.length === count) break
    const path = join(folder, `${index}.gguf`)
    writeFileSync(path, mutateGguf(whole, headBytes, changes))
    const files = await readModel(path).catch(() => null)
    if (files !== null) accepted.push(files)
  }
  return accepted
}

test('a mutated file that the server accepts is loaded by the engine process or refused in one line', async () => {
  const files = await acceptedFiles(loads)
  expect(files).toHaveLength(loads)
  const outcomes = { ready: 0, refused: 0, closed: 0 }
  for (const modelFiles of files) {
    const engine = openEmbeddedEngine({
      ...{ modelFiles, slots: 1, threads: engineThreads, clock: systemClock, log: silent, workerPath },
    })
    const result = await engine.firstLoad
    await engine.close()
    outcomes[result.outcome] += 1
    if (result.outcome === 'refused') expect(result.reason).toMatch(/^.{10,600}$/)
  }
  expect(outcomes).toMatchObject({ ready: expect.any(Number), closed: 0 })
})

test('a file on which llama.cpp crashes is given up after three attempts; the server answers all along', async () => {
  // llama.cpp aborts the process for a vocabulary in which two tokens are equal.
  const { value: tokens } = chat.metadata['tokenizer.ggml.tokens'] as { value: readonly string[] }
  const doubled = texts(tokens.map((token) => (token === 'D' ? 'E' : token)))
  const path = join(folder, 'doubled.gguf')
  writeFileSync(path, ggufBytes({ ...chat, metadata: { ...chat.metadata, 'tokenizer.ggml.tokens': doubled } }))

  const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ env })
  await runProgram(['models', 'add', path, '--data-dir', program.dataDir], { env })
  const service = { url: program.url, key: await program.createKey() }
  const ask = () => postChat(service, 'Hi', { model: 'doubled' })
  const asked = ask()
  for (const count of [1, 2, 3]) {
    expect(await program.logged({ event: 'engine_exited' }, count)).toMatchObject({ signal: 'SIGABRT' })
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
  }
  const error = { error: { code: 'model_unavailable' } }
  for (const response of [await asked, await ask()]) {
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject(error)
  }
  expect(await program.logged({ event: 'engine_refused' })).toMatchObject({ reason: expect.stringContaining(path) })
  const { stdout } = await runProgram(['models', 'list', '--data-dir', program.dataDir], { env })
  expect(stdout).toMatch(/^doubled .*failed$/m)
  expect(await program.stop()).toBe(0)
  expect(program.stderr.lines.filter((line) => line.includes('"engine_exited"'))).toHaveLength(3)
})
