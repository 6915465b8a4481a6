import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { UpstreamModel } from './contract.ts'
import type { UpstreamProblem } from './upstream-fault.ts'

/** An upstream as the registry knows it. */
export type UpstreamEntry = {
  readonly setting: UpstreamSetting
  /** `settings`: it cannot be removed while the server runs. `node`: an engine node, which is there as long as it runs. */
  readonly source: 'settings' | 'added' | 'node'
  /** Only of an engine node. */
  readonly tls: UpstreamTls | null
  isDraining: boolean
  /** What it listed last at `/v1/models`; used if the setting names no models. */
  listed: readonly UpstreamModel[]
  /** Null before the first. */
  lastCheck: { at: number; problem: UpstreamProblem | null } | null
  /** The same for canaries. */
  lastCanary: { at: number; problem: UpstreamProblem | null } | null
}
