import type { Clock } from '../../base/clock.ts'
import type { LinkRecord } from '../../store/account-contract.ts'
import type { AuditEvent } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'

/** One-time links. The token stands behind the #, which browsers keep to themselves: no log and no proxy ever sees it. */
export type LinkKind = Exclude<LinkRecord['kind'], 'setup' | 'email_change'>

const hourMs = 3_600_000
const lifeMs: Record<LinkKind | 'email_change', number> = {
  invitation: 7 * 24 * hourMs,
  password_reset: hourMs,
  email_verification: 24 * hourMs,
  email_change: 24 * hourMs,
}

const paths: Record<LinkRecord['kind'], string> = {
  setup: '/claim#',
  invitation: '/signup#invitation=',
  password_reset: '/reset#',
  email_verification: '/verify#',
  email_change: '/verify#change=',
}

export interface Links {
  /** `path` is what stands behind the address of the site. */
  make(kind: LinkKind, accountId: string | null, ...events: AuditEvent[]): Promise<{ path: string; expiresAt: number }>
  /** The new address is in the token, and so in its hash: nobody can put another in its place. */
  makeEmailChange(accountId: string, email: string): Promise<{ path: string }>
  /** Null when the server has an owner. Earlier setup links end. */
  makeSetup(): Promise<{ path: string } | null>
}

/** What `makeEmailChange` put in; null for what is none of ours. */
export const emailInToken = (token: string): string | null => {
  const [, part = ''] = token.split('.')
  return part === '' ? null : Buffer.from(part, 'base64url').toString()
}

export const createLinks = ({ store, clock }: { store: Pick<Store, 'links'>; clock: Clock }): Links => ({
  async make(kind, accountId, ...events) {
    const token = mintToken()
    const createdAt = clock.now()
    const expiresAt = createdAt + lifeMs[kind]
    await store.links.insert({ kind, accountId, createdAt, expiresAt }, hashToken(token), ...events)
    return { path: paths[kind] + token, expiresAt }
  },
  async makeEmailChange(accountId, email) {
    const kind = 'email_change'
    const token = `${mintToken()}.${Buffer.from(email).toString('base64url')}`
    const createdAt = clock.now()
    await store.links.insert({ kind, accountId, createdAt, expiresAt: createdAt + lifeMs[kind] }, hashToken(token))
    return { path: paths[kind] + token }
  },
  async makeSetup() {
    const token = mintToken()
    return (await store.links.replaceSetup(hashToken(token), clock.now())) ? { path: paths.setup + token } : null
  },
})
