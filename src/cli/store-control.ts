import { openSecrets, type Secrets } from '../accounts/secrets/open-secrets.ts'
import { createSuspensions } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { type Control, createControl } from '../control/control.ts'
import { createKeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import { listNodes } from '../nodes/list-nodes.ts'
import type { Store } from '../store/contract.ts'
import { type DataDirectory, lockDataDirectory } from '../store/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import { configuredUpstreams } from '../upstreams/configured-upstreams.ts'
import { openUpstreamRegistry, type UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { lockWaitMs } from './lock-wait.ts'

/** Operates on a data directory that no server uses: opens the database for one command. */
export const withStoreControl = async <Result>(
  config: Config,
  work: (control: Control) => Promise<Result>,
  waitMs = lockWaitMs,
): Promise<Result> => {
  const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs })
  try {
    const store = await openStore({ config, directory, clock: systemClock })
    try {
      return await work(throughStore(store, directory, config))
    } catch (error) {
      throw error instanceof ApiError ? new OperatorError(error.message) : error
    } finally {
      await store.close()
    }
  } finally {
    directory.release()
  }
}

const throughStore = (store: Store, directory: DataDirectory, config: Config): Control => {
  const clock = systemClock
  // Created only for limit commands, because it reads the last minute of the ledger.
  const limiter = async (): Promise<Limiter> => {
    const { createLimiter } = await import('../limits/create-limiter.ts')
    return createLimiter({ store, clock, settings: config, findPrice: () => null, hasFreeModel: () => true })
  }
  const secrets = (): Promise<Secrets> => openSecrets({ config, directory, store, clock, log: silent })
  const upstreams = async (): Promise<UpstreamRegistry> => {
    const { createUpstreamSet } = await import('../upstreams/upstream-set.ts')
    return openUpstreamRegistry({
      configured: configuredUpstreams(config),
      records: store.upstreams,
      seal: (await secrets()).seal,
      set: createUpstreamSet({ clock, log: silent }),
      clock,
      log: silent,
    })
  }
  return createControl({
    store,
    upstreams,
    secrets,
    // They notice by themselves.
    announceSecrets: () => {},
    // Those that run elsewhere.
    listNodes: async () => (store.nodes === null ? [] : listNodes(store.nodes, null)),
    clock,
    timeZone: config.timeZone,
    currency: config.currency,
    keys: createKeyRegistry({ store, clock }),
    suspensions: createSuspensions({ store, clock, onSuspended: () => {}, onResumed: () => {} }),
    limiter: { usageSnapshots: async (...whose) => (await limiter()).usageSnapshots(...whose), forget: () => {} },
  })
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }
