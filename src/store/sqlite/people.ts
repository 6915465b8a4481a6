import type { Store } from '../contract.ts'
import type { StoreThread } from './store-thread.ts'

/** The half of the store that is about people. */
export const peopleOf = (thread: StoreThread): Pick<Store, 'accounts' | 'sessions' | 'links'> => ({
  accounts: {
    isClaimed: () => thread.call('isClaimed'),
    claim: (linkHash, account) => thread.call('claimServer', linkHash, account),
    create: (account, organisationId, invitationHash) =>
      thread.call('createAccount', account, organisationId, invitationHash),
    find: (id) => thread.call('findAccount', id),
    findByEmail: (emailKey) => thread.call('findAccountByEmail', emailKey),
    list: () => thread.call('listAccounts'),
    members: (organisationId) => thread.call('listMembers', organisationId),
    setLanguage: (id, language) => thread.call('setLanguage', id, language),
    setName: (id, name) => thread.call('setName', id, name),
    changePassword: (sessionId, passwordHash, tokenHash) =>
      thread.call('changePassword', sessionId, passwordHash, tokenHash),
    resetPassword: (linkHash, passwordHash, now) => thread.call('resetPassword', linkHash, passwordHash, now),
    verifyEmail: (linkHash, now) => thread.call('verifyEmail', linkHash, now),
    remove: (id, next) => thread.call('removeAccount', id, next),
  },
  sessions: {
    open: (record, tokenHash, proof, replacedHash) =>
      thread.call('openSession', record, tokenHash, proof, replacedHash),
    confirm: (id, now, hasSecondFactor) => thread.call('confirmSession', id, now, hasSecondFactor),
    find: (tokenHash) => thread.call('findSession', tokenHash),
    touch: (id, seen) => thread.call('touchSession', id, seen),
    list: (accountId, now) => thread.call('listSessions', accountId, now),
    remove: (accountId, id) => thread.call('removeSession', accountId, id),
  },
  links: {
    insert: (record, tokenHash) => thread.call('insertLink', record, tokenHash),
    replaceSetup: (tokenHash, now) => thread.call('replaceSetupLink', tokenHash, now),
    find: (kind, tokenHash, now) => thread.call('findLink', kind, tokenHash, now),
  },
})
