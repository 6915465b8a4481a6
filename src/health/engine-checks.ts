import type { Clock } from '../base/clock.ts'
import { fullVersion } from '../base/version.ts'
import type { Models } from '../models/contract.ts'
import type { Store } from '../store/contract.ts'
import { checkClock } from './check-clock.ts'
import { checkDisk } from './check-disk.ts'
import { checkGpu, checkModels } from './check-models.ts'
import type { SelfChecks } from './self-checks.ts'

type EngineChecksDependencies = {
  clock: Clock
  /** The data directory. */
  directory: string
  store: Pick<Store, 'time'>
  models: Pick<Models, 'list' | 'defaultPool'>
  /** By which the servers reach it; empty until it listens. */
  url(): string
}

/** All of an engine node, which has no ledger, backups or certificate of its own. */
export const addEngineChecks = (checks: SelfChecks, dependencies: EngineChecksDependencies): void => {
  const { clock, directory, store, models, url } = dependencies
  checks.add('runtime', () => ({
    state: 'ok',
    detail: `Helix ${fullVersion}, Node ${process.versions.node} on ${process.platform}`,
  }))
  checks.add('data directory', () => ({ state: 'ok', detail: directory }))
  checks.add('disk', () => checkDisk(directory))
  checks.add('clock', () => checkClock(store, clock))
  checks.add('models', () => checkModels(models))
  checks.add('gpu', () => checkGpu(models))
  checks.add('port', () => ({ state: 'ok', detail: `servers reach it at ${url()}` }))
}
