import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { openScriptedEngine, type Script } from '../../src/engine/scripted.ts'
import { singleModel } from '../../src/models/single-model.ts'
import { serveEngine } from '../../src/serve/engine-node/serve-engine.ts'
import { createLogCatcher } from './log-catcher.ts'

type EngineNodeOptions = {
  /** Of the database. */
  store: string
  name: string
  answer?: Script
  /** In place of one that answers. */
  engine?: Engine & { active(): number }
  config?: Partial<Config>
}

/** A real engine node on a free port, in front of an engine that the test scripts. It imports nothing of the test runner. */
export const openEngineNode = async ({
  store,
  name,
  answer = () => ['I am ', name],
  engine = openScriptedEngine({ model: { id: 'helix-v1' }, answer }),
  config = {},
}: EngineNodeOptions) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-engine-test-'))
  const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
  const settings: Config = {
    ...{ ...defaults, store, storePoolSize: 2, nodeName: name, engineNodePort: 0 },
    ...{ ...config, dataDir },
  }
  const { log, logged } = createLogCatcher({ clock: systemClock, format: 'json' })
  const openModels = () => singleModel(engine, settings, systemClock)
  const node = await serveEngine({ config: settings, clock: systemClock, log, openModels })
  return {
    ...{ url: node.url, engine, logged },
    async close() {
      await node.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Answers word by word, and continues where a message of the assistant ends. */
export const wordByWord =
  (text: string, pauseAfter?: { words: number; until: Promise<unknown> }): Script =>
  (messages, _sampling, { opening }) => {
    const sent = opening === 'continue' ? (messages.at(-1)?.content ?? '') : ''
    const words = text.slice(sent.length).split(/(?<= )/)
    if (pauseAfter === undefined) return words
    return [...words.slice(0, pauseAfter.words), { pause: pauseAfter.until }, ...words.slice(pauseAfter.words)]
  }

/** The main part of a process of its own: it stops in the middle of its answer, and runs until it is killed. */
export const runEngineNode = async (options: { store: string; name: string; text: string; words: number }) => {
  const { store, name, text, words } = options
  const answer = wordByWord(text, { words, until: new Promise(() => {}) })
  const { url } = await openEngineNode({ store, name, answer })
  process.stdout.write(`${url}\n`)
}
