import type { Suspensions } from '../accounts/suspensions.ts'
import type { Clock } from '../base/clock.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Store } from '../store/contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { Control } from './control.ts'
import { createKeyControl } from './control-keys.ts'
import { createLimitControl } from './control-limits.ts'
import { createNodeControl } from './control-nodes.ts'
import { createSuspensionControl } from './control-suspensions.ts'
import { createUpstreamControl } from './control-upstreams.ts'
import { createUsageControl } from './control-usage.ts'

export type ControlDependencies = {
  store: Pick<Store, 'accounts' | 'organisations' | 'usage'>
  keys: KeyRegistry
  limiter: Pick<Limiter, 'usageSnapshots' | 'forget'>
  suspensions: Suspensions
  upstreams(): Promise<UpstreamRegistry>
  listNodes(): Promise<ListedNode[]>
  clock: Clock
  timeZone: string
  currency: string
}

export const createControl = (dependencies: ControlDependencies): Control => {
  const { store, keys, limiter, suspensions, clock, timeZone, currency } = dependencies
  return {
    ...createKeyControl(keys),
    ...createLimitControl({ organisations: store.organisations, keys, limiter, clock }),
    ...createSuspensionControl({ accounts: store.accounts, keys, suspensions }),
    ...createUpstreamControl(dependencies.upstreams, dependencies.listNodes),
    ...createNodeControl(dependencies.listNodes),
    ...createUsageControl({ usage: store.usage, clock, timeZone, currency }),
  }
}
