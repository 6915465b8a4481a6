import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ToWorker } from './protocol.ts'

let worker: ChildProcess
beforeEach(() => {
  worker = fork(fileURLToPath(new URL('../../engine-process.ts', import.meta.url)), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
})
afterEach(() => {
  worker.kill('SIGKILL')
})

const load: ToWorker = {
  type: 'load',
  settings: {
    kind: 'chat',
    weightsPath: '/nowhere/weights.gguf',
    files: [{ path: '/nowhere/weights.gguf', bytes: 1, sha256: 'ab'.repeat(32) }],
    endTokens: { texts: [], ids: [] },
    contextTokens: 16,
    slots: 1,
    threads: 1,
    gpu: false,
    cacheType: 'f16',
    flashAttention: 'auto',
    speculation: 'auto',
  },
}
const loadOutcome = async (message: ToWorker = load): Promise<unknown> => {
  worker.send(message)
  const [answer] = await once(worker, 'message')
  return answer
}
const refused = {
  type: 'refused',
  reason: expect.stringMatching(/^\/nowhere\/weights\.gguf cannot be read \(ENOENT\)/),
}

test('the engine process leaves signals to the server and ends when the server goes away', async () => {
  expect(await loadOutcome()).toEqual(refused)
  worker.kill('SIGTERM')
  worker.kill('SIGINT')
  worker.kill('SIGHUP')
  expect(await loadOutcome()).toEqual(refused)
  const exit = once(worker, 'exit')
  worker.disconnect()
  await exit
})

test('weights that are no GGUF file are refused in one line', async () => {
  const weightsPath = fileURLToPath(import.meta.url)
  const answer = await loadOutcome({ type: 'load', settings: { ...load.settings, weightsPath, files: [] } })
  expect(answer).toEqual({
    type: 'refused',
    reason: expect.stringMatching(/worker\.test\.ts cannot be loaded: [^\n]+$/),
  })
})
