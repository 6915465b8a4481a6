import type { Limits } from '../store/ledger-contract.ts'
import type { LimitScope } from '../store/limit-names.ts'
import type { UsageCounters } from './usage-counters.ts'

/** One of those who have a say in a request: what it may do, and what counts for it. Null: no limit. */
export type LimitedEntity = { scope: LimitScope; id: string; limits: Limits; counters: UsageCounters }

/** One moment on both clocks. Windows run on the first, which never jumps; only days follow the other. */
export type Moment = { nowMs: number; now: number; day: number; timeZone: string }

/** As the official service writes it in its messages. */
export const nameOfEntity = ({ scope, id }: Pick<LimitedEntity, 'scope' | 'id'>): string =>
  scope === 'server' ? 'this server' : scope === 'key' ? `key ${id}` : `organization ${id}`
