import { hasOutcome, is, isTrue } from '../audit/audit-conditions.ts'
import { audited } from '../audit/record-event.ts'
import { read, write, writeOnce } from '../operation.ts'
import { listSealed, replaceSealed } from '../secrets/sealed.ts'
import { attemptChallenge, consumeChallenge, insertChallenge } from './challenges.ts'
import { connectIdentity, findIdentity, listIdentities, removeIdentity } from './identities.ts'
import { findRules, requireSecondFactor } from './organisation-rule.ts'
import { countPasskeyUse, findPasskey, insertPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts'
import {
  beginTotp,
  confirmTotp,
  countRecoveryCodes,
  findTotp,
  removeTotp,
  replaceRecoveryCodes,
  resetTotp,
  spendCode,
} from './second-factors.ts'

/** What the store thread can be asked for about ways to sign in. */
export const signInOperations = {
  findTotp: read(findTotp),
  beginTotp: write(beginTotp),
  confirmTotp: audited(confirmTotp, isTrue),
  replaceRecoveryCodes: audited(replaceRecoveryCodes, isTrue),
  countRecoveryCodes: read(countRecoveryCodes),
  spendCode: writeOnce(spendCode),
  removeTotp: audited(removeTotp, isTrue),
  findRules: read(findRules),
  requireSecondFactor: audited(requireSecondFactor, hasOutcome('changed')),
  resetTotp: audited(resetTotp, isTrue),
  listPasskeys: read(listPasskeys),
  findPasskey: read(findPasskey),
  insertPasskey: audited(insertPasskey, is('added')),
  countPasskeyUse: writeOnce(countPasskeyUse),
  renamePasskey: audited(renamePasskey, isTrue),
  removePasskey: audited(removePasskey, is('removed')),
  listIdentities: read(listIdentities),
  findIdentity: read(findIdentity),
  connectIdentity: audited(connectIdentity, is('connected')),
  removeIdentity: audited(removeIdentity, is('removed')),
  insertChallenge: write(insertChallenge),
  attemptChallenge: writeOnce(attemptChallenge),
  consumeChallenge: writeOnce(consumeChallenge),
  listSealed: read(listSealed),
  replaceSealed: writeOnce(replaceSealed),
}
