import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Log } from '../../src/base/log.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { chatDescription } from './chat-description.ts'
import { scratchPath } from './scratch-path.ts'

type ProcessScript = {
  /** JavaScript that runs when the process receives the load command; `ready()` reports that it has loaded. */
  onLoad?: string
  /** JavaScript that runs for each answer; it answers with `token(id, text)` and `end(id)`. */
  onGenerate?: string
  slots?: number
  clock?: Clock
  log?: Log
}

const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** The embedded engine with its own real process, in which a script replaces the model. */
export const startScriptedProcess = (script: ProcessScript = {}): EmbeddedEngine => {
  const { onLoad = 'ready()', onGenerate = "token(id, 'Hi'); end(id)", slots = 2 } = script
  const workerPath = join(scratchPath(), 'worker.mjs')
  writeFileSync(
    workerPath,
    `const send = (message) => process.send(message)
     const say = (...messages) => send({ type: 'requests', messages })
     const opened = { contextTokens: 1000, vocabularyTokens: 9, features: ['tools'], memory: { weights: 1, cache: 1, buffers: 1 } }
     const ready = () => send({ type: 'ready', opened })
     const token = (id, text) => say({ type: 'token', id, token: 1, bytes: Buffer.from(text) })
     const end = (id) => say({ type: 'end', id, reason: 'stop', cachedTokens: 0, completionTokens: 1 })
     process.on('disconnect', () => process.exit())
     process.on('message', ({ type, id }) => {
       if (type === 'ping') send({ type: 'pong', progress: null })
       if (type === 'load') { ${onLoad} }
       if (type === 'prepare') say({ type: 'prepared', id, tokens: Uint32Array.of(1, 2, 3) })
       if (type === 'generate') { ${onGenerate} }
     })`,
  )
  return openEmbeddedEngine({
    modelFiles: {
      served: {
        ...{ id: 'helix-v1', created: 1, ownedBy: 'test', contextTokens: 1000 },
        ...{ vocabularyTokens: null, features: null },
      },
      defaults: { temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null },
      weightsPath: '',
      files: [],
      description: chatDescription,
      endTokens: { texts: [], ids: [] },
    },
    slots,
    threads: 1,
    clock: script.clock ?? systemClock,
    log: script.log ?? quiet,
    workerPath,
  })
}
