import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about answers that are sent again. */
export const createCacheRecords = (store: StoreCalls): Pick<Store, 'cache'> => ({
  cache: {
    find: (organisationId, keyHash, now) => store.call('findCachedAnswer', organisationId, keyHash, now),
    insert: (record) => store.call('insertCachedAnswer', record),
    remove: (organisationId, keyHash) => store.call('removeCachedAnswer', organisationId, keyHash),
    removeExpired: (now) => store.call('removeExpiredAnswers', now),
    removeOldest: (organisationId) => store.call('removeOldestAnswers', organisationId),
    bytes: () => store.call('sumCachedBytes'),
  },
})
