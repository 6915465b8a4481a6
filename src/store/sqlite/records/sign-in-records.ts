import type { Store } from '../../contract.ts'
import type { StoreCalls } from '../thread/store-threads.ts'

/** The part of the store about sign-in methods. */
export const signInRecordsOf = (
  thread: StoreCalls,
): Pick<Store, 'secondFactors' | 'passkeys' | 'identities' | 'challenges'> => ({
  secondFactors: {
    find: (accountId) => thread.call('findTotp', accountId),
    begin: (accountId, sealedSecret, now) => thread.call('beginTotp', accountId, sealedSecret, now),
    confirm: (holder, confirmed, ...events) => thread.call('confirmTotp', events, holder, confirmed),
    replaceRecoveryCodes: (accountId, codeHashes, ...events) =>
      thread.call('replaceRecoveryCodes', events, accountId, codeHashes),
    recoveryCodesLeft: (accountId) => thread.call('countRecoveryCodes', accountId),
    use: (accountId, proof) => thread.call('spendCode', accountId, proof),
    remove: (accountId, proof, ...events) => thread.call('removeTotp', events, accountId, proof),
    rules: (organisationId) => thread.call('findRules', organisationId),
    require: (by, isRequired, event) => thread.call('requireSecondFactor', [event], by, isRequired),
    reset: (accountId, ...events) => thread.call('resetTotp', events, accountId),
  },
  passkeys: {
    list: (accountId) => thread.call('listPasskeys', accountId),
    findByCredential: (credentialId) => thread.call('findPasskey', credentialId),
    insert: (record, sessionId, most, ...events) => thread.call('insertPasskey', events, record, sessionId, most),
    use: (proof, accountId, now) => thread.call('countPasskeyUse', proof, accountId, now),
    rename: (accountId, id, name, ...events) => thread.call('renamePasskey', events, accountId, id, name),
    remove: (accountId, id, ...events) => thread.call('removePasskey', events, accountId, id),
  },
  identities: {
    list: (accountId) => thread.call('listIdentities', accountId),
    find: (issuer, subject) => thread.call('findIdentity', issuer, subject),
    connect: (record, ...events) => thread.call('connectIdentity', events, record),
    remove: (accountId, id, ...events) => thread.call('removeIdentity', events, accountId, id),
  },
  challenges: {
    insert: (record, tokenHash, now) => thread.call('insertChallenge', record, tokenHash, now),
    attempt: (kind, tokenHash, now) => thread.call('attemptChallenge', kind, tokenHash, now),
    take: (kind, tokenHash, now) => thread.call('consumeChallenge', kind, tokenHash, now),
  },
})
