import { join, resolve } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { fullVersion } from '../base/version.ts'
import { createConfigFileWatch } from '../config/config-file-watch.ts'
import { defaultWorkers } from '../config/default-workers.ts'
import type { SettingOrigins } from '../config/setting-origin.ts'
import { type Config, settings } from '../config/settings.ts'
import type { Models } from '../models/contract.ts'
import type { Site } from '../site-server/open-site.ts'
import type { UpstreamSet } from '../upstreams/upstream-set.ts'
import type { Command, Terminal } from './command.ts'
import { limitStop } from './limit-stop.ts'
import { openLog } from './open-log.ts'
import { createStopSignal } from './stop-signal.ts'

/** The parts of a server that the command uses; `main.ts` passes the real one. */
type Server = {
  /** Without a path. */
  readonly siteUrl: string
  /** The id of the default model. */
  readonly model: string
  readonly claimUrl: string | null
  /** Once the pages are built, if they were not there from the start. */
  readonly claimUrlOnceBuilt: Promise<string | null>
  readonly failed: Promise<Error>
  close(): Promise<void>
  /** Load balancers get no time to notice that it stops. False if they have had it, or need none. */
  skipDelay(): boolean
}
export type Serve = (options: {
  config: Config
  origins: SettingOrigins
  clock: Clock
  log: Log
  openModels(): Models
  upstreams: UpstreamSet
  openSite(): Site
  hasConfigChanged(): Promise<boolean>
  recentProblems(): readonly string[]
  defaultWorkers(hasUpstreams: boolean): number
  logLines: ReturnType<typeof openLog>['lines']
}) => Promise<Server>

/** `workerPath`: the entry file of the engine process. */
export const createServeCommand = (serve: Serve, workerPath: string): Command => ({
  name: 'serve',
  summary: 'Start the server.',
  options: {},
  note: 'Stop it with Ctrl-C, SIGTERM or SIGHUP. Running requests are allowed to finish before it exits.',
  async run({ config, origins, configFile, terminal }) {
    const stop = createStopSignal()
    const log = openLog(config)
    process.on('uncaughtException', (error) => {
      log.error('crashed', { cause: errorText(error), version: fullVersion })
      process.exit(1)
    })
    // Loaded only here: other commands would wait for them.
    const { chooseModels } = await import('../models/choose-models.ts')
    const { openSite } = await import('../site-server/open-site.ts')
    const models = await chooseModels({ config, clock: systemClock, log, workerPath })
    const server = await serve({
      config,
      origins,
      clock: systemClock,
      log,
      openModels: models.open,
      upstreams: models.upstreams,
      openSite: () => openSite({ log, clock: systemClock, sourceUrl: config.sourceUrl }),
      hasConfigChanged: createConfigFileWatch(configFile),
      recentProblems: log.recentProblems,
      defaultWorkers,
      logLines: log.lines,
    })
    welcome(server, config, terminal)
    // The events of the build came after the link.
    void server.claimUrlOnceBuilt.then((url) => sayClaimUrl(url, terminal))
    const failed = server.failed.then((error) => error.message)
    const reason = await Promise.race([models.refused, failed, stop.received])
    if (stop.isStop(reason)) log.info('stopping', { signal: reason })
    stop.onSecond(server.skipDelay)
    if (reason !== 'SIGTERM') server.skipDelay()
    limitStop(config.shutdownGraceMs, log)
    await server.close()
    if (stop.isStop(reason)) return 0
    terminal.err(`helix: ${reason}\n`)
    return 1
  },
})

const welcome = ({ siteUrl, model, claimUrl }: Server, config: Config, terminal: Terminal): void => {
  const baseUrl = `${siteUrl}/v1`
  const dataDir = resolve(config.dataDir)
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] })
  const trust = config.tls === 'self-signed' ? ` --cacert ${shellWord(join(dataDir, 'tls/self-signed.crt'))}` : ''
  // The commands find the server by its data directory.
  const where = config.dataDir === settings.dataDir.default ? '' : ` --data-dir ${shellWord(dataDir)}`
  terminal.out(
    `Helix ${fullVersion} is serving ${model} at ${baseUrl} (data directory: ${dataDir})
Create a key:    ./helix keys create --name first${where}
Send a request:  curl${trust} ${baseUrl}/chat/completions -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" -d ${shellWord(body)}
Start a chat:    ./helix chat${where}
`,
  )
  sayClaimUrl(claimUrl, terminal)
}

const sayClaimUrl = (claimUrl: string | null, terminal: Terminal): void => {
  if (claimUrl !== null) terminal.out(`Claim this server: ${claimUrl}\n`)
}

const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
