import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about accounts, sessions and links. */
export const createAccountRecords = (store: StoreCalls): Pick<Store, 'accounts' | 'sessions' | 'links'> => ({
  accounts: {
    isClaimed: () => store.call('isClaimed'),
    claim: (linkHash, account, ...events) => store.call('claimServer', events, linkHash, account),
    create: (account, organisationId, invitation, ...events) =>
      store.call('createAccount', events, account, organisationId, invitation),
    find: (id) => store.call('findAccount', id),
    findByEmail: (emailSpellings) => store.call('findAccountByEmail', emailSpellings),
    list: () => store.call('listAccounts'),
    setLanguage: (id, language) => store.call('setLanguage', id, language),
    changeEmail: (id, email, ...events) => store.call('changeEmail', events, id, email),
    confirmEmail: (linkHash, email, now, ...events) => store.call('confirmEmail', events, linkHash, email, now),
    setName: (id, name, ...events) => store.call('setName', events, id, name),
    changePassword: (sessionId, passwordHash, tokenHash, ...events) =>
      store.call('changePassword', events, sessionId, passwordHash, tokenHash),
    resetPassword: (linkHash, passwordHash, now, ...events) =>
      store.call('resetPassword', events, linkHash, passwordHash, now),
    verifyEmail: (linkHash, now, ...events) => store.call('verifyEmail', events, linkHash, now),
    remove: (id, next, ...events) => store.call('removeAccount', events, id, next),
    removeExpired: (now, limit) => store.call('removeExpiredAccess', now, limit),
  },
  sessions: {
    open: (record, tokenHash, proof, replacedHash, ...events) =>
      store.call('openSession', events, record, tokenHash, proof, replacedHash),
    confirm: (id, now, hasSecondFactor) => store.call('confirmSession', id, now, hasSecondFactor),
    find: (tokenHash) => store.call('findSession', tokenHash),
    touch: (id, seen) => store.call('touchSession', id, seen),
    list: (accountId, now) => store.call('listSessions', accountId, now),
    remove: (accountId, id, ...events) => store.call('removeSession', events, accountId, id),
  },
  links: {
    insert: (record, tokenHash, ...events) => store.call('insertLink', events, record, tokenHash),
    replaceSetup: (tokenHash, now, since) => store.call('replaceSetupLink', tokenHash, now, since ?? null),
    find: (kind, tokenHash, now) => store.call('findLink', kind, tokenHash, now),
  },
})
