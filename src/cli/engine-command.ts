import { resolve } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { fullVersion } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { Models } from '../models/contract.ts'
import type { Command } from './command.ts'
import { limitStop } from './limit-stop.ts'
import { openLog } from './open-log.ts'
import { createStopSignal } from './stop-signal.ts'

/** The parts of an engine node that the command uses; `main.ts` passes the real one. */
type RunningEngine = {
  readonly url: string
  readonly model: string
  readonly failed: Promise<Error>
  close(): Promise<void>
}
export type ServeEngine = (options: {
  config: Config
  clock: Clock
  log: Log
  openModels(): Models
}) => Promise<RunningEngine>

/** `workerPath`: the entry file of the engine process. */
export const createEngineCommand = (serveEngine: ServeEngine, workerPath: string): Command => ({
  name: 'engine',
  summary: 'Run the models of this machine for the servers of a cluster.',
  options: {},
  note: 'Requires HELIX_STORE. Stop it with Ctrl-C, SIGTERM or SIGHUP. Running requests are allowed to finish before it exits.',
  async run({ config: given, terminal }) {
    // Upstreams are reached by the servers themselves.
    const config: Config = { ...given, upstreams: [], upstreamUrl: null, upstreamModel: null, defaultModel: null }
    const stop = createStopSignal()
    const log = openLog(config)
    process.on('uncaughtException', (error) => {
      log.error('crashed', { cause: errorText(error), version: fullVersion })
      process.exit(1)
    })
    // Loaded only here: other commands would wait for it.
    const { chooseModels } = await import('../models/choose-models.ts')
    const models = await chooseModels({ config, clock: systemClock, log, workerPath })
    const engine = await serveEngine({ config, clock: systemClock, log, openModels: models.open })
    terminal.out(
      `Helix ${fullVersion} runs ${engine.model} for the servers of its cluster at ${engine.url} (data directory: ${resolve(config.dataDir)})\n`,
    )
    const failed = engine.failed.then((error) => error.message)
    const reason = await Promise.race([models.refused, failed, stop.received])
    if (stop.isStop(reason)) log.info('stopping', { signal: reason })
    limitStop(config.shutdownGraceMs, log)
    await engine.close()
    if (stop.isStop(reason)) return 0
    terminal.err(`helix: ${reason}\n`)
    return 1
  },
})
