import type { Language } from '../../src/site/pages.ts'
import type { Role } from '../../src/store/team-contract.ts'

/** What the platform's endpoints answer. Times are milliseconds since 1970. */
export type Account = {
  id: string
  email: string
  emailVerified: boolean
  isOwner: boolean
  createdAt: number
  language: Language | null
}
export type Organisation = { id: string; name: string; role: Role; suspended: boolean }

/** One that somebody belongs to. */
export type OwnOrganisation = Organisation & { members: number }

export type Session = {
  account: Account | null
  organisation: Organisation | null
  /** Those there are to switch to, where somebody is signed in. */
  organisations?: OwnOrganisation[]
  /** Somebody is signed in, but their account is suspended. */
  suspended: boolean
  signUp: 'setup' | 'open' | 'invitation' | 'closed'
  /** Whether the server can send mail. */
  mail: boolean
  csrfToken: string
  /** Ends in `/v1`. */
  baseUrl: string
  model: string
  version: string
}

export type Key = {
  id: string
  name: string
  prefix: string
  lastFour: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  suspendedAt: number | null
  lastUsedAt: number | null
  createdBy: string | null
}
/** A key with its secret, which is sent once and kept nowhere. */
export type NewKey = Pick<Key, 'id' | 'name' | 'prefix' | 'lastFour' | 'createdAt' | 'expiresAt'> & { key: string }

export type SignedIn = { account: Account; organisation: Pick<Organisation, 'id' | 'name'> }
/** Without a key where the role that somebody was invited to makes none. */
export type SignedUp = SignedIn & { firstKey: NewKey | null }

export type DeviceSession = {
  id: string
  createdAt: number
  lastSeenAt: number
  address: string
  userAgent: string
  current: boolean
}
