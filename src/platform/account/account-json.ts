import type { AccountRecord, SessionRecord } from '../../store/account-contract.ts'
import type { Account } from '../contract/account.ts'

export const accountJson = (account: AccountRecord): Account => ({
  id: account.id,
  email: account.email,
  emailVerified: account.emailVerified,
  name: account.name,
  isOwner: account.isOwner,
  language: account.language,
  createdAt: account.createdAt,
  lastSeenAt: account.lastSeenAt,
  suspendedAt: account.suspendedAt,
  hasTwoFactor: account.hasTotp,
  hasPasskeys: account.hasPasskeys,
})

export const deviceJson = ({ createdAt, lastSeenAt, address, userAgent }: SessionRecord) => ({
  createdAt,
  lastSeenAt,
  address,
  userAgent,
})
