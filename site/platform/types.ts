/** What the platform's endpoints answer, from the contract of the server. Times are Unix milliseconds. */
export type { Account, DeviceSession } from '../../src/platform/contract/account.ts'
export type { KeyList as Keys, NewKey, Scope, UsedKey as Key } from '../../src/platform/contract/keys.ts'
export type {
  LimitedOrganisation,
  Limits,
  LimitUse,
  LimitUses,
} from '../../src/platform/contract/limits.ts'
export type { ActiveOrganisation } from '../../src/platform/contract/organisation.ts'
export type { Entered, Session, SignedUp } from '../../src/platform/contract/sign-in.ts'
