import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about organisations, their members and the audit log. */
export const createTeamRecords = (
  store: StoreCalls,
): Pick<Store, 'teams' | 'invitations' | 'suspensions' | 'audit'> => ({
  teams: {
    organisations: (accountId) => store.call('listOwnOrganisations', accountId),
    members: (organisationId) => store.call('listMembers', organisationId),
    create: (organisation, ownerId, max, event) =>
      store.call('createOrganisation', [event], organisation, ownerId, max),
    switchTo: (sessionId, organisationId) => store.call('switchOrganisation', sessionId, organisationId),
    rename: (by, name, was, event) => store.call('renameOrganisation', [event], by, name, was),
    changeRole: (by, change, event) => store.call('changeRole', [event], by, change, event.at),
    handOver: (by, accountId, event) => store.call('handOver', [event], by, accountId, event.at),
    removeMember: (by, leaving, event) => store.call('removeMember', by, leaving, event),
    remove: (by, event) => store.call('deleteOrganisation', [event], by, event.at),
  },
  invitations: {
    insert: (by, record, tokenHash, max, event) => store.call('insertInvitation', [event], by, record, tokenHash, max),
    list: (organisationId, endedAfter) => store.call('listInvitations', organisationId, endedAfter),
    find: (tokenHash) => store.call('findInvitation', tokenHash),
    withdraw: (organisationId, id, now, event) => store.call('withdrawInvitation', [event], organisationId, id, now),
    accept: (tokenHash, joining, event) => store.call('acceptInvitation', [event], tokenHash, joining),
  },
  suspensions: {
    set: (thing, id, at, event) => store.call('setSuspended', [event], thing, id, at),
    organisations: () => store.call('listAllOrganisations'),
  },
  audit: {
    record: (event) => store.call('recordEvent', event),
    list: (filter) => store.call('listEvents', filter),
    since: (sequence, limit) => store.call('listEventsSince', sequence, limit),
    prune: (before, limit) => store.call('pruneEvents', before, limit),
  },
})
