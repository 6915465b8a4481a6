import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about API keys and the limits of organisations. */
export const createKeyRecords = (store: StoreCalls): Pick<Store, 'keys' | 'callers' | 'organisations'> => ({
  keys: {
    insert: (record, secretHash, ...events) => store.call('insertKey', events, record, secretHash),
    findByHash: (secretHash) => store.call('findKeyByHash', secretHash),
    find: (scope, id) => store.call('findKey', scope, id),
    list: (scope) => store.call('listKeys', scope),
    revoke: (scope, id, revokedAt, ...events) => store.call('revokeKey', events, scope, id, revokedAt),
    rotate: (scope, id, secret, ...events) => store.call('rotateKey', events, scope, id, secret),
    change: (scope, id, changes, were, ...events) => store.call('changeKey', events, scope, id, changes, were),
    touch: (used) => store.call('touchKeys', used),
  },
  callers: {
    keys: (ids) => store.call('listKeyValidity', ids),
    members: (members) => store.call('listMemberValidity', members),
  },
  organisations: {
    first: () => store.call('firstOrganisation'),
    list: () => store.call('listOrganisations'),
    limits: (id) => store.call('findOrganisationLimits', id),
    setLimits: (id, limits, were, ...events) => store.call('setOrganisationLimits', events, id, limits, were),
  },
})
