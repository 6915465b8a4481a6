import type { Clock } from '../base/clock.ts'
import type { LinkRecord } from '../store/account-contract.ts'
import type { AuditEvent } from '../store/audit-contract.ts'
import type { Store } from '../store/contract.ts'
import { hashToken, mintToken } from './secret-token.ts'

/** One-time links. The token stands behind the #, which browsers keep to themselves: no log and no proxy ever sees it. */
export type LinkKind = Exclude<LinkRecord['kind'], 'setup'>

const hourMs = 3_600_000
const lifeMs: Record<LinkKind, number> = {
  invitation: 7 * 24 * hourMs,
  password_reset: hourMs,
  email_verification: 24 * hourMs,
}

const paths: Record<LinkRecord['kind'], string> = {
  setup: '/claim#',
  invitation: '/signup#invitation=',
  password_reset: '/reset#',
  email_verification: '/verify#',
}

export interface Links {
  /** `path` is what stands behind the address of the site. */
  make(kind: LinkKind, accountId: string | null, ...events: AuditEvent[]): Promise<{ path: string; expiresAt: number }>
  /** Null when the server has an owner. Earlier setup links end. */
  makeSetup(): Promise<{ path: string } | null>
}

export const createLinks = ({ store, clock }: { store: Pick<Store, 'links'>; clock: Clock }): Links => ({
  async make(kind, accountId, ...events) {
    const token = mintToken()
    const createdAt = clock.now()
    const expiresAt = createdAt + lifeMs[kind]
    await store.links.insert({ kind, accountId, createdAt, expiresAt }, hashToken(token), ...events)
    return { path: paths[kind] + token, expiresAt }
  },
  async makeSetup() {
    const token = mintToken()
    return (await store.links.replaceSetup(hashToken(token), clock.now())) ? { path: paths.setup + token } : null
  },
})
