import type { Store } from '../../contract.ts'
import type { StoreCalls } from '../thread/store-threads.ts'

/** The part of the store about organisations, their members and the audit log. */
export const teamRecordsOf = (thread: StoreCalls): Pick<Store, 'teams' | 'invitations' | 'suspensions' | 'audit'> => ({
  teams: {
    organisations: (accountId) => thread.call('listOwnOrganisations', accountId),
    members: (organisationId) => thread.call('listMembers', organisationId),
    create: (organisation, ownerId, most, event) =>
      thread.call('createOrganisation', [event], organisation, ownerId, most),
    switchTo: (sessionId, organisationId) => thread.call('switchOrganisation', sessionId, organisationId),
    rename: (by, name, was, event) => thread.call('renameOrganisation', [event], by, name, was),
    changeRole: (by, change, event) => thread.call('changeRole', [event], by, change, event.at),
    handOver: (by, accountId, event) => thread.call('handOver', [event], by, accountId, event.at),
    removeMember: (by, leaving, event) => thread.call('removeMember', by, leaving, event),
    remove: (by, event) => thread.call('deleteOrganisation', [event], by, event.at),
  },
  invitations: {
    insert: (by, record, tokenHash, most, event) =>
      thread.call('insertInvitation', [event], by, record, tokenHash, most),
    list: (organisationId, endedAfter) => thread.call('listInvitations', organisationId, endedAfter),
    find: (tokenHash) => thread.call('findInvitation', tokenHash),
    withdraw: (organisationId, id, now, event) => thread.call('withdrawInvitation', [event], organisationId, id, now),
    accept: (tokenHash, joining, event) => thread.call('acceptInvitation', [event], tokenHash, joining),
  },
  suspensions: {
    set: (thing, id, at, event) => thread.call('setSuspended', [event], thing, id, at),
    organisations: () => thread.call('listAllOrganisations'),
  },
  audit: {
    record: (event) => thread.call('recordEvent', event),
    list: (filter) => thread.call('listEvents', filter),
    prune: (before, limit) => thread.call('pruneEvents', before, limit),
  },
})
