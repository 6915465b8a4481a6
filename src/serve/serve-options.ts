import type { PasswordCost } from '../accounts/passwords/password-hasher.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { SettingOrigins } from '../config/setting-origin.ts'
import type { Config } from '../config/settings.ts'
import type { SelfChecks } from '../health/self-checks.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Models } from '../models/contract.ts'
import type { LeaseTimes } from '../nodes/open-node-lease.ts'
import type { Site } from '../site-server/open-site.ts'
import type { UpstreamSet } from '../upstreams/upstream-set.ts'
import type { LimitsTime } from './open-limiter.ts'
import type { ShutdownDelay } from './shutdown-delay.ts'
import type { StopAnswers } from './stop-answers.ts'
import type { WorkerLink } from './workers/worker-link.ts'
import type { LogLines } from './workers/workers.ts'

export type ServeOptions = {
  config: Config
  /** Where each setting comes from; by default all are defaults, so that the console may change them. */
  origins?: SettingOrigins
  clock: Clock
  log: Log
  openModels(): Models
  /** Their models are among those of `openModels`; by default there are none. */
  upstreams?: UpstreamSet
  openSite(): Site
  /** The last warnings and errors of the log as JSON lines; by default none are kept. */
  recentProblems?: () => readonly string[]
  /** Whether the file of settings has changed since the start; by default there is none. */
  hasConfigChanged?: () => Promise<boolean>
  /** How many workers there are if the settings do not say it; by default one. */
  defaultWorkers?: (hasUpstreams: boolean) => number
  /** How workers format lines of the log, and where these go; by default their events are logged as those of other parts. */
  logLines?: LogLines
  /** The recommended one unless a test chooses a lower one. */
  passwordCost?: PasswordCost
  /** The usual ones unless a test chooses shorter ones. */
  leaseTimes?: LeaseTimes
  /** The clock for limits per minute in a cluster: that of Redis unless a test has a manual clock. */
  limitsTimeSource?: LimitsTime
}

/** What every phase of opening may use, and what is known only once a later one is open. */
export type ServeContext = ServeOptions & {
  /** Its `config` is the one of the context: settings that may change at run time are read from it when they are needed. */
  live: LiveConfig
  delay: ShutdownDelay
  metrics: Metrics
  checks: SelfChecks
  /** Empty until the server listens. */
  localUrl(): string
  siteUrl(): string
  /** When the certificate ends, in milliseconds since 1970. Null without TLS, and until the server listens. */
  certificateEndsAt(): number | null
  /** Null until there are endpoints. */
  stopAnswers(): StopAnswers | null
  workerLink: WorkerLink
  /** How many workers there are, and how many there would be after a restart. */
  workerCounts(): { now: number; afterRestart: number }
}
