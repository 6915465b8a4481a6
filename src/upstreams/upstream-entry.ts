import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { UpstreamRecord } from '../store/upstream-contract.ts'
import type { UpstreamModel } from './contract.ts'
import type { HostedPrices } from './hosted-prices.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import { upstreamOfSetting } from './upstream-of-setting.ts'

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

export const createEntry = (
  setting: UpstreamSetting,
  source: UpstreamEntry['source'],
  stored: readonly Pick<UpstreamRecord, 'name' | 'isDraining'>[],
): UpstreamEntry => ({
  setting,
  source,
  tls: null,
  isDraining: stored.some(({ name, isDraining }) => name === setting.name && isDraining),
  listed: [],
  lastCheck: null,
  lastCanary: null,
})

/** As the upstreams in use are told about it. */
export const toUpstream = ({ setting, listed, isDraining, tls }: UpstreamEntry, hosted: HostedPrices | null) =>
  upstreamOfSetting(setting, listed, isDraining, tls, hosted)
