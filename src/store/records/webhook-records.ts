import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about webhooks and mails about events. */
export const createWebhookRecords = (store: StoreCalls): Pick<Store, 'webhooks'> => ({
  webhooks: {
    list: (scope) => store.call('listEndpoints', scope),
    find: (scope, id) => store.call('findEndpoint', scope, id),
    insert: (record, max, ...events) => store.call('insertEndpoint', events, record, max),
    change: (scope, id, changes, ...events) => store.call('changeEndpoint', events, scope, id, changes),
    remove: (scope, id, ...events) => store.call('removeEndpoint', events, scope, id),
    subscribers: (after, limit) => store.call('listSubscribers', after, limit),
    raise: (event, occurrence) => store.call('raiseEvent', event, occurrence),
    send: (scope, endpointId, event) => store.call('sendEvent', scope, endpointId, event),
    nextDueAt: () => store.call('findNextDue'),
    claim: (now, leaseUntil, limit) => store.call('claimDeliveries', now, leaseUntil, limit),
    record: (delivery, attempt) => store.call('recordAttempt', delivery, attempt),
    deliveries: (scope, endpointId, after, limit) => store.call('listDeliveries', scope, endpointId, after, limit),
    replay: (scope, endpointId, id, now) => store.call('replayDelivery', scope, endpointId, id, now),
    prune: (before, limit) => store.call('pruneWebhooks', before, limit),
    listPlaces: (accountId) => store.call('listPlaces', accountId),
    rememberPlace: (accountId, place, now) => store.call('rememberPlace', accountId, place, now),
  },
})
