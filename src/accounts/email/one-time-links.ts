import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/settings.ts'
import type { LinkRecord } from '../../store/account-contract.ts'
import type { AuditActor, AuditEvent } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import { accountTarget, auditEvent } from '../audit-event.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import { checkEmail } from './check-email.ts'

/** Links that mails and the owner of the server send to people. */
type LinkKind = Exclude<LinkRecord['kind'], 'setup' | 'email_change'>

const hourMs = 3_600_000
const lifeMs: Record<LinkKind | 'email_change', number> = {
  invitation: 7 * 24 * hourMs,
  password_reset: hourMs,
  email_verification: 24 * hourMs,
  email_change: 24 * hourMs,
}

/** The token follows the #, which browsers do not send: it appears in no log and passes no proxy. */
const paths: Record<LinkRecord['kind'], string> = {
  setup: '/claim#',
  invitation: '/signup#invitation=',
  password_reset: '/reset#',
  email_verification: '/verify#',
  email_change: '/verify#change=',
}

type OneTimeLinksDependencies = {
  store: Pick<Store, 'accounts' | 'links' | 'nodes'>
  clock: Clock
  settings: Pick<Config, 'signUp'>
}

/** A link that works once, until it expires. `path` is relative to the address of the site. */
type OneTimeLink = { path: string; expiresAt: number }

export interface OneTimeLinks {
  create(kind: LinkKind, accountId: string): Promise<OneTimeLink>
  /** For the owner of the server to pass on, where no mail is sent. */
  createForOwner(kind: LinkKind, email: string, by: AuditActor): Promise<OneTimeLink>
  /** The token contains the new address, so its hash does too: the address cannot be replaced. */
  createEmailChange(accountId: string, email: string): Promise<OneTimeLink>
  /** Null when the server has an owner. Earlier setup links stop working; with several nodes, those from over a day ago. */
  createSetup(): Promise<{ path: string } | null>
}

/** The address in a token of `createEmailChange`; null for other tokens. */
export const emailInToken = (token: string): string | null => {
  const [, part = ''] = token.split('.')
  return part === '' ? null : Buffer.from(part, 'base64url').toString()
}

export const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })

export const createOneTimeLinks = ({ store, clock, settings }: OneTimeLinksDependencies): OneTimeLinks => {
  const insert = async (
    kind: LinkKind | 'email_change',
    accountId: string | null,
    token: string,
    ...events: AuditEvent[]
  ): Promise<OneTimeLink> => {
    const createdAt = clock.now()
    const expiresAt = createdAt + lifeMs[kind]
    await store.links.insert({ kind, accountId, createdAt, expiresAt }, hashToken(token), ...events)
    return { path: paths[kind] + token, expiresAt }
  }

  return {
    create: (kind, accountId) => insert(kind, accountId, mintToken()),
    async createForOwner(kind, text, actor) {
      const { email, emailSpellings } = checkEmail(text)
      const id = (await store.accounts.findByEmail(emailSpellings))?.account.id ?? null
      if (kind === 'invitation') requireNewcomer(id, settings.signUp)
      else if (id === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
      const target = id === null ? ({ kind: 'link', id, name: email } as const) : accountTarget(id)
      const event = auditEvent('link.made', actor, clock.now(), { target, details: { kind } })
      return insert(kind, id, mintToken(), event)
    },
    createEmailChange: (accountId, email) =>
      insert('email_change', accountId, `${mintToken()}.${Buffer.from(email).toString('base64url')}`),
    async createSetup() {
      const token = mintToken()
      // Each node prints its own when it starts.
      const since = store.nodes === null ? undefined : clock.now() - 24 * hourMs
      return (await store.links.replaceSetup(hashToken(token), clock.now(), since))
        ? { path: paths.setup + token }
        : null
    },
  }
}

const requireNewcomer = (accountId: string | null, signUpMode: Config['signUp']): void => {
  if (signUpMode === 'closed') throw ApiError.of('sign_up_closed', {})
  if (accountId !== null) throw ApiError.of('email_taken', {}, { param: 'email' })
}
