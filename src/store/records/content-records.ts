import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about what callers store, and about what the owner of the server sets. */
export const createContentRecords = (
  store: StoreCalls,
): Pick<Store, 'completions' | 'responses' | 'upstreams' | 'upstreamUse' | 'settings'> => ({
  completions: {
    insert: (record) => store.call('insertCompletion', record),
    find: (organisationId, id) => store.call('findCompletion', organisationId, id),
    list: (organisationId, filter) => store.call('listCompletions', organisationId, filter),
    setMetadata: (organisationId, id, metadata) => store.call('setCompletionMetadata', organisationId, id, metadata),
    remove: (organisationId, id) => store.call('removeCompletion', organisationId, id),
  },
  responses: {
    insert: (record, itemIds) => store.call('insertResponse', record, itemIds),
    find: (organisationId, id, since) => store.call('findResponse', organisationId, id, since),
    chain: (organisationId, id, since, limits) => store.call('findResponseChain', organisationId, id, since, limits),
    withItems: (organisationId, itemIds, since) => store.call('findResponsesWithItems', organisationId, itemIds, since),
    remove: (organisationId, id) => store.call('removeResponse', organisationId, id),
    removeExpired: (before) => store.call('removeExpiredResponses', before),
  },
  upstreams: {
    list: () => store.call('listUpstreams'),
    insert: (record, event) => store.call('insertUpstream', [event], record),
    update: (record, event) => store.call('updateUpstream', [event], record),
    setDraining: (name, isDraining, event) => store.call('setUpstreamDraining', [event], name, isDraining, event.at),
    remove: (name, event) => store.call('removeUpstream', [event], name),
  },
  upstreamUse: {
    add: (uses) => store.call('addUpstreamUse', uses),
    list: (filter) => store.call('listUpstreamUse', filter),
    prune: (beforeHour) => store.call('pruneUpstreamUse', beforeHour),
  },
  settings: {
    list: () => store.call('listSettings'),
    save: (written, removed, events) => store.call('saveSettings', events, written, removed),
  },
})
