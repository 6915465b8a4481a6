import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/contract.ts'
import type { Finding } from './self-checks.ts'

/** Times in the ledger, of keys and of sessions come from the clocks of nodes; leases come from that of the database. */
const mostSkewMs = 2_000

export const checkClock = async (store: Pick<Store, 'time'>, clock: Clock): Promise<Finding> => {
  const sentAt = clock.now()
  const databaseTime = await store.time()
  return databaseTime === null
    ? { state: 'ok', detail: 'the database has the clock of this machine' }
    : judgeClock(databaseTime, sentAt, clock.now())
}

/** The database was asked at some moment between sending and receiving. */
export const judgeClock = (databaseTime: number, sentAt: number, receivedAt: number): Finding => {
  const aheadMs = Math.round((sentAt + receivedAt) / 2 - databaseTime)
  const isCertain = Math.abs(aheadMs) - (receivedAt - sentAt) / 2 > mostSkewMs
  const detail = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`
  return isCertain
    ? { state: 'failed', detail: `${detail}; synchronise the clocks of both machines` }
    : { state: 'ok', detail }
}
