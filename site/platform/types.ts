import type { Language } from '../../src/site-server/pages.ts'
import type { Role } from '../../src/store/team-contract.ts'
import type { LimitName } from './limit-types.ts'

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
type Organisation = { id: string; name: string; role: Role; suspended: boolean }

/** The one that somebody acts for. It may ask for more than the password that opened the session. */
export type ActingOrganisation = Organisation & { needsSecondFactor: boolean }

/** One that somebody belongs to. */
type OwnOrganisation = Organisation & { members: number }

export type Session = {
  account: Account | null
  organisation: ActingOrganisation | null
  /** Those there are to switch to, where somebody is signed in. */
  organisations?: OwnOrganisation[]
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

export type Scope = 'chat' | 'models' | 'completions.read' | 'completions.write' | 'manage'
export type Limits = Record<LimitName, number | null>
/** How much of a limit is used; `resetsAt` null: when running requests end. */
export type LimitUse = { limit: number; used: number; resetsAt: number | null }
/** Those limits that are set. */
export type LimitUses = Partial<Record<LimitName, LimitUse>>
/** Of prompts and answers together; `tokensOfDays` has the last 14, today at the end. */
type Tokens = { tokensToday: number; tokensThisMonth: number; tokensOfDays: readonly number[] }

export type Key = Tokens & {
  id: string
  name: string
  prefix: string
  lastFour: string
  scopes: readonly Scope[]
  models: readonly string[] | null
  networks: readonly string[] | null
  limits: Limits
  uses: LimitUses
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  suspendedAt: number | null
  lastUsedAt: number | null
  /** Until this time, the secret from before the last rotation also works. */
  previousUntil: number | null
  createdBy: string | null
}
export type Keys = { data: Key[]; organisation: Tokens & { uses: LimitUses }; timeZone: string }

/** `limits` is what the owner of the server gave an organisation: null for its default, 0 for none. */
export type LimitedOrganisation = Tokens & {
  id: string
  name: string
  createdAt: number
  limits: Limits
  defaults: Limits
  uses: LimitUses
}
export type AdminLimits = { data: LimitedOrganisation[]; timeZone: string }

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
