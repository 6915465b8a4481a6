import type { Store } from '../../contract.ts'
import type { StoreCalls } from '../thread/store-threads.ts'

/** The part of the store about accounts, sessions and links. */
export const accountRecordsOf = (thread: StoreCalls): Pick<Store, 'accounts' | 'sessions' | 'links'> => ({
  accounts: {
    isClaimed: () => thread.call('isClaimed'),
    claim: (linkHash, account, ...events) => thread.call('claimServer', events, linkHash, account),
    create: (account, organisationId, invitation, ...events) =>
      thread.call('createAccount', events, account, organisationId, invitation),
    find: (id) => thread.call('findAccount', id),
    findByEmail: (emailKey) => thread.call('findAccountByEmail', emailKey),
    list: () => thread.call('listAccounts'),
    setLanguage: (id, language) => thread.call('setLanguage', id, language),
    changeEmail: (id, email, ...events) => thread.call('changeEmail', events, id, email),
    confirmEmail: (linkHash, email, now, ...events) => thread.call('confirmEmail', events, linkHash, email, now),
    setName: (id, name, ...events) => thread.call('setName', events, id, name),
    changePassword: (sessionId, passwordHash, tokenHash, ...events) =>
      thread.call('changePassword', events, sessionId, passwordHash, tokenHash),
    resetPassword: (linkHash, passwordHash, now, ...events) =>
      thread.call('resetPassword', events, linkHash, passwordHash, now),
    verifyEmail: (linkHash, now, ...events) => thread.call('verifyEmail', events, linkHash, now),
    remove: (id, next, ...events) => thread.call('removeAccount', events, id, next),
  },
  sessions: {
    open: (record, tokenHash, proof, replacedHash, ...events) =>
      thread.call('openSession', events, record, tokenHash, proof, replacedHash),
    confirm: (id, now, hasSecondFactor) => thread.call('confirmSession', id, now, hasSecondFactor),
    find: (tokenHash) => thread.call('findSession', tokenHash),
    touch: (id, seen) => thread.call('touchSession', id, seen),
    list: (accountId, now) => thread.call('listSessions', accountId, now),
    remove: (accountId, id, ...events) => thread.call('removeSession', events, accountId, id),
  },
  links: {
    insert: (record, tokenHash, ...events) => thread.call('insertLink', events, record, tokenHash),
    replaceSetup: (tokenHash, now) => thread.call('replaceSetupLink', tokenHash, now),
    find: (kind, tokenHash, now) => thread.call('findLink', kind, tokenHash, now),
  },
})
