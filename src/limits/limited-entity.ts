import type { LimitScope } from '../store/ledger-contract.ts'
import type { SetLimit } from './set-limits.ts'
import type { UsageCounters } from './usage-counters.ts'

/** A key, an organisation or the server, with the limits that are set for it and its counters. */
export type LimitedEntity = { scope: LimitScope; id: string; limits: readonly SetLimit[]; counters: UsageCounters }

/** A moment on both clocks. Windows use the monotonic `nowMs`; days and months use the wall clock `now`. */
export type Moment = { nowMs: number; now: number; day: number; timeZone: string }

/** As in the messages of the official service. */
export const nameOfEntity = ({ scope, id }: Pick<LimitedEntity, 'scope' | 'id'>): string =>
  scope === 'server' ? 'this server' : scope === 'key' ? `key ${id}` : `organization ${id}`
