import { read, write } from '../operation.ts'
import { attemptChallenge, insertChallenge, takeChallenge } from './challenges.ts'
import { connectIdentity, findIdentity, listIdentities, removeIdentity } from './identities.ts'
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
  confirmTotp: write(confirmTotp),
  replaceRecoveryCodes: write(replaceRecoveryCodes),
  countRecoveryCodes: read(countRecoveryCodes),
  spendCode: write(spendCode),
  removeTotp: write(removeTotp),
  resetTotp: write(resetTotp),
  listPasskeys: read(listPasskeys),
  findPasskey: read(findPasskey),
  insertPasskey: write(insertPasskey),
  countPasskeyUse: write(countPasskeyUse),
  renamePasskey: write(renamePasskey),
  removePasskey: write(removePasskey),
  listIdentities: read(listIdentities),
  findIdentity: read(findIdentity),
  connectIdentity: write(connectIdentity),
  removeIdentity: write(removeIdentity),
  insertChallenge: write(insertChallenge),
  attemptChallenge: write(attemptChallenge),
  takeChallenge: write(takeChallenge),
}
