import type { Store } from '../contract.ts'
import type { ReservationRecord } from '../ledger-contract.ts'
import { progressRow, reservationRow, settlementRow } from '../operations/ledger/ledger-rows.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about the ledger. */
export const createLedgerRecords = (
  store: StoreCalls,
  verify: Store['usage']['verify'],
): Pick<Store, 'ledger' | 'requestLog' | 'bodies' | 'usage' | 'replays'> => ({
  ledger: {
    reserve: (reservations) =>
      store.call('reserveRequests', reservations.map(reservationRow), listClaimed(reservations)),
    checkpoint: (checkpoints, now) => store.call('checkpointProgress', checkpoints.map(progressRow), now),
    settle: (settlements, replays) => store.call('settleRequests', settlements.map(settlementRow), replays),
    replaceGuess: (settlement, replay) => store.call('replaceGuess', settlement, replay),
    recover: (now, day) => store.call('recoverRequests', now, day),
    since: (createdAt) => store.call('listLedgerSince', createdAt),
    list: (filter) => store.call('listLedger', filter),
    find: (requestId) => store.call('findLedgerRow', requestId),
    prune: (endedBefore, limit) => store.call('pruneLedger', endedBefore, limit),
    pruneCheckpoints: (writtenBefore, limit) => store.call('pruneCheckpoints', writtenBefore, limit),
  },
  requestLog: {
    refuse: (refusals) => store.call('refuseRequests', refusals),
    find: (requestId) => store.call('findRequest', requestId),
    search: (filter) => store.call('searchRequests', filter),
    mark: (organisationId) => store.call('markRequests', organisationId),
    news: (organisationId, mark, limit) => store.call('listRequestNews', organisationId, mark, limit),
    progress: (organisationId, open) => store.call('listRequestProgress', organisationId, open),
    countRefused: (organisationId, from, until) => store.call('countRefused', organisationId, from, until),
    countServerRefusals: (filter) => store.call('countServerRefusals', filter),
    prune: (refusedBefore, limit) => store.call('pruneRefusals', refusedBefore, limit),
  },
  bodies: {
    keeping: () => store.call('listStoringOrganisations'),
    days: (organisationId) => store.call('findBodyDays', organisationId),
    setDays: (by, days, event) => store.call('setBodyDays', [event], by, days),
    keep: (bodies) => store.call('storeBodies', bodies),
    find: (organisationId, requestId, now) => store.call('findBodies', organisationId, requestId, now),
    removeExpired: (now) => store.call('removeExpiredBodies', now),
    removeUnwanted: (organisationId) => store.call('removeUnwantedBodies', organisationId),
  },
  usage: {
    rows: (filter) => store.call('listUsage', filter),
    days: (filter) => store.call('listUsageDays', filter),
    largest: (by, filter) => store.call('listLargestUsage', by, filter),
    settled: (filter) => store.call('countSettledUsage', filter),
    horizon: () => store.call('findLedgerHorizon'),
    hours: (filter) => store.call('listUsageHours', filter),
    tokens: (subject) => store.call('sumUsedTokens', subject),
    costMicros: (subject) => store.call('sumUsedCost', subject),
    requests: (subject) => store.call('sumRequests', subject),
    verify,
  },
  replays: {
    has: (organisationId, keyHash, now) => store.call('hasReplay', organisationId, keyHash, now),
    find: (organisationId, keyHash, now) => store.call('findReplay', organisationId, keyHash, now),
    removeExpired: (now) => store.call('removeExpiredReplays', now),
    bytes: () => store.call('sumReplayBytes'),
  },
})

const listClaimed = (reservations: readonly ReservationRecord[]): string[] =>
  reservations.flatMap(({ requestId, isClaimed }) => (isClaimed === true ? [requestId] : []))
