import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about sign-in methods. */
export const createSignInRecords = (
  store: StoreCalls,
): Pick<Store, 'secondFactors' | 'passkeys' | 'identities' | 'challenges' | 'sealed'> => ({
  sealed: {
    list: (kind, after, limit) => store.call('listSealed', kind, after, limit),
    replace: (record, sealed) => store.call('replaceSealed', record, sealed),
  },
  secondFactors: {
    find: (accountId) => store.call('findTotp', accountId),
    begin: (accountId, sealedSecret, now) => store.call('beginTotp', accountId, sealedSecret, now),
    confirm: (holder, confirmed, ...events) => store.call('confirmTotp', events, holder, confirmed),
    replaceRecoveryCodes: (accountId, codeHashes, ...events) =>
      store.call('replaceRecoveryCodes', events, accountId, codeHashes),
    recoveryCodesLeft: (accountId) => store.call('countRecoveryCodes', accountId),
    use: (accountId, proof) => store.call('spendCode', accountId, proof),
    remove: (accountId, proof, ...events) => store.call('removeTotp', events, accountId, proof),
    rules: (organisationId) => store.call('findRules', organisationId),
    require: (by, isRequired, event) => store.call('requireSecondFactor', [event], by, isRequired),
    reset: (accountId, ...events) => store.call('resetTotp', events, accountId),
  },
  passkeys: {
    list: (accountId) => store.call('listPasskeys', accountId),
    findByCredential: (credentialId) => store.call('findPasskey', credentialId),
    insert: (record, sessionId, max, ...events) => store.call('insertPasskey', events, record, sessionId, max),
    use: (proof, accountId, now) => store.call('countPasskeyUse', proof, accountId, now),
    rename: (accountId, id, name, ...events) => store.call('renamePasskey', events, accountId, id, name),
    remove: (accountId, id, ...events) => store.call('removePasskey', events, accountId, id),
  },
  identities: {
    list: (accountId) => store.call('listIdentities', accountId),
    find: (issuer, subject) => store.call('findIdentity', issuer, subject),
    connect: (record, ...events) => store.call('connectIdentity', events, record),
    remove: (accountId, id, ...events) => store.call('removeIdentity', events, accountId, id),
  },
  challenges: {
    insert: (record, tokenHash, now) => store.call('insertChallenge', record, tokenHash, now),
    attempt: (kind, tokenHash, now) => store.call('attemptChallenge', kind, tokenHash, now),
    take: (kind, tokenHash, now) => store.call('consumeChallenge', kind, tokenHash, now),
  },
})
