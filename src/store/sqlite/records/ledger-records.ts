import type { Store } from '../../contract.ts'
import type { BackgroundTasks } from '../background/background-tasks.ts'
import { progressRow, reservationRow, settlementRow } from '../operations/ledger/ledger-rows.ts'
import type { StoreCalls } from '../thread/store-threads.ts'

/** The part of the store about the ledger. */
export const ledgerRecordsOf = (
  thread: StoreCalls,
  background: BackgroundTasks,
): Pick<Store, 'ledger' | 'requestLog' | 'bodies' | 'usage' | 'replays'> => ({
  ledger: {
    reserve: (reservations) => thread.call('reserveRequests', reservations.map(reservationRow)),
    checkpoint: (checkpoints, now) => thread.call('checkpointProgress', checkpoints.map(progressRow), now),
    settle: (settlements, replays) => thread.call('settleRequests', settlements.map(settlementRow), replays),
    recover: (now, day) => thread.call('recoverRequests', now, day),
    since: (createdAt) => thread.call('listLedgerSince', createdAt),
    list: (filter) => thread.call('listLedger', filter),
    find: (requestId) => thread.call('findLedgerRow', requestId),
    prune: (endedBefore, limit) => thread.call('pruneLedger', endedBefore, limit),
    pruneCheckpoints: (writtenBefore, limit) => thread.call('pruneCheckpoints', writtenBefore, limit),
  },
  requestLog: {
    refuse: (refusals) => thread.call('refuseRequests', refusals),
    find: (requestId) => thread.call('findRequest', requestId),
    search: (filter) => thread.call('searchRequests', filter),
    mark: (organisationId) => thread.call('markRequests', organisationId),
    news: (organisationId, mark, limit) => thread.call('listRequestNews', organisationId, mark, limit),
    prune: (refusedBefore, limit) => thread.call('pruneRefusals', refusedBefore, limit),
  },
  bodies: {
    keeping: () => thread.call('listStoringOrganisations'),
    days: (organisationId) => thread.call('findBodyDays', organisationId),
    setDays: (by, days, event) => thread.call('setBodyDays', [event], by, days),
    keep: (bodies) => thread.call('storeBodies', bodies),
    find: (organisationId, requestId, now) => thread.call('findBodies', organisationId, requestId, now),
    removeExpired: (now) => thread.call('removeExpiredBodies', now),
    removeUnwanted: (organisationId) => thread.call('removeUnwantedBodies', organisationId),
  },
  usage: {
    rows: (filter) => thread.call('listUsage', filter),
    hours: (filter) => thread.call('listUsageHours', filter),
    tokens: (subject) => thread.call('sumUsedTokens', subject),
    costMicros: (subject) => thread.call('sumUsedCost', subject),
    verify: () => background.verifyUsage(),
  },
  replays: {
    has: (organisationId, keyHash, now) => thread.call('hasReplay', organisationId, keyHash, now),
    find: (organisationId, keyHash, now) => thread.call('findReplay', organisationId, keyHash, now),
    removeExpired: (now) => thread.call('removeExpiredReplays', now),
    bytes: () => thread.call('sumReplayBytes'),
  },
})
