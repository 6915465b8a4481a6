import type { Secrets } from '../accounts/secrets/open-secrets.ts'
import type { Suspensions } from '../accounts/suspensions.ts'
import type { Clock } from '../base/clock.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Client } from '../operations/client.ts'
import type { Store } from '../store/contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { accountOperations } from './control-accounts.ts'
import { backupOperations } from './control-backup.ts'
import { cacheOperations } from './control-cache.ts'
import { diagnosisOperations } from './control-diagnosis.ts'
import { createKeyControl, keyOperations } from './control-keys.ts'
import { createLimitControl, limitOperations } from './control-limits.ts'
import { modelOperations } from './control-models.ts'
import { createNodeControl, nodeOperations } from './control-nodes.ts'
import { createSecretControl, secretOperations } from './control-secrets.ts'
import { settingOperations } from './control-settings.ts'
import { supportOperations } from './control-support.ts'
import { createSuspensionControl, suspensionOperations } from './control-suspensions.ts'
import { createUpstreamControl, upstreamOperations } from './control-upstreams.ts'
import { createUsageControl, usageOperations } from './control-usage.ts'

/** With or without a running server. */
export const controlOperations = {
  ...keyOperations,
  ...limitOperations,
  ...suspensionOperations,
  ...upstreamOperations,
  ...nodeOperations,
  ...usageOperations,
  ...secretOperations,
}
export type Control = Client<typeof controlOperations>

/** Only through a running server. */
export const serverOperations = {
  ...accountOperations,
  ...backupOperations,
  ...cacheOperations,
  ...modelOperations,
  ...diagnosisOperations,
  ...settingOperations,
  ...supportOperations,
}
export type ServerControl = Client<typeof serverOperations>

type ControlDependencies = {
  store: Pick<Store, 'accounts' | 'organisations' | 'usage'>
  keys: KeyRegistry
  limiter: Pick<Limiter, 'usageSnapshots' | 'forget'>
  suspensions: Suspensions
  upstreams(): Promise<UpstreamRegistry>
  secrets(): Promise<Secrets>
  /** Tells the other nodes that the keys have changed. */
  announceSecrets(): void
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
    ...createSecretControl({
      open: dependencies.secrets,
      announce: dependencies.announceSecrets,
      listNodes: dependencies.listNodes,
    }),
    ...createUsageControl({ usage: store.usage, clock, timeZone, currency }),
  }
}
