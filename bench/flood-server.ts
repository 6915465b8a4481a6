import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/base/clock.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { chooseModels } from '../src/models/choose-models.ts'
import { claimServer, signUp } from '../test/harness/browser-session.ts'
import { modelName, openHelix } from '../test/harness/start-helix.ts'

/** The real server with three accounts, in front of the model or an engine with fixed timing. */
export type FloodedServer = {
  url: string
  model: string
  /** Two keys of one organisation and one key of another. */
  floodKey: string
  secondFloodKey: string
  otherKey: string
  /** Of a third account. */
  thirdKey: string
  close(): Promise<void>
}

const promptMs = 300
const tokenMs = 10

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function* answerByClock() {
  yield { pause: pause(promptMs) }
  for (;;) {
    yield 'word '
    yield { pause: pause(tokenMs) }
  }
}

export const openFloodedServer = async (engine: 'scripted' | 'model'): Promise<FloodedServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
  const helix = await openHelix({
    // A slow machine must show in the result, not cause the flood to be refused.
    config: { dataDir, queueTimeoutMs: 600_000 },
    answer: answerByClock,
    ...(engine === 'model' ? { openModels: await chooseModel(dataDir) } : {}),
  })
  const flooding = await claimServer(helix)
  while ((await fetch(`${helix.url}/readyz`)).status !== 200) await pause(100)
  const other = await signUp(helix.url, 'other@example.com')
  const third = await signUp(helix.url, 'third@example.com')
  return {
    url: helix.url,
    model: modelName,
    floodKey: helix.key,
    secondFloodKey: flooding.firstKey.key,
    otherKey: other.firstKey.key,
    thirdKey: third.firstKey.key,
    async close() {
      await helix.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const chooseModel = async (dataDir: string) => {
  const config = { ...loadConfig({ flags: {}, environment: {}, configFile: null }), dataDir }
  const log = { info: () => {}, warn: () => {}, error: console.error }
  const workerPath = fileURLToPath(new URL('../src/engine-process.ts', import.meta.url))
  return (await chooseModels({ config, clock: systemClock, log, workerPath })).open
}
