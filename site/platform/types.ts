import type { Language } from '../../src/site/pages.ts'

/** What the platform's endpoints answer. Times are milliseconds since 1970. */
export type Account = {
  id: string
  email: string
  emailVerified: boolean
  /** As they want to be called; null: by their email. */
  name: string | null
  isOwner: boolean
  createdAt: number
  language: Language | null
}
type Role = 'viewer' | 'member' | 'admin' | 'owner'
type Organisation = { id: string; name: string; role: Role; suspended: boolean }

/** The one that somebody acts for. It may ask for more than the password that opened the session. */
export type OwnOrganisation = Organisation & { needsSecondFactor: boolean }

export type Session = {
  account: Account | null
  organisation: OwnOrganisation | null
  /** Those there are to switch to, where somebody is signed in. */
  organisations?: (Organisation & { members: number })[]
  /** Somebody is signed in, but their account is suspended. */
  suspended: boolean
  signUp: 'setup' | 'open' | 'invitation' | 'closed'
  /** Whether the server can send mail. */
  mail: boolean
  /** Where else people may sign in. */
  providers: { id: string; name: string }[]
  /** Whether the address of the server can have passkeys. */
  passkeys: boolean
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
  lastUsedAt: number | null
  createdBy: string | null
}
/** A key with its secret, which is sent once and kept nowhere. */
export type NewKey = Pick<Key, 'id' | 'name' | 'prefix' | 'lastFour' | 'createdAt' | 'expiresAt'> & { key: string }

export type SignedIn = { account: Account; organisation: Pick<Organisation, 'id' | 'name'> }
/** Somebody is in, or is asked for a code first. */
export type Entered = Partial<SignedIn> & { secondStep?: { token: string; expiresAt: number; hasPasskeys: boolean } }
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
