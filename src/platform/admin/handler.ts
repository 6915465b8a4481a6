import type { Accounts } from '../../accounts/accounts.ts'
import { auditActorOf } from '../../accounts/actor.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import type { AccountRecord } from '../../store/account-contract.ts'
import { actorOf, commandLine } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

const linkBody = object({ kind: oneOf('invitation', 'password_reset', 'email_verification'), email: string() })

/**
 * `POST /platform/admin/links`: for the owner to hand over by another way than mail. `POST /control/links`: for whoever
 * runs the server, since an owner may forget a password too.
 */
export const createMakeLink =
  (accounts: Accounts, siteUrl: (exchange: Exchange) => string) =>
  async (exchange: Exchange, person?: Person): Promise<void> => {
    const { kind, email } = await readJson(exchange, bodyLimitBytes, linkBody)
    const actor = person === undefined ? commandLine : auditActorOf(actorOf(exchange, person))
    const { path, expiresAt } = await accounts.links.createForOwner(kind, email, actor)
    sendJson(exchange, 200, { url: siteUrl(exchange) + path, expiresAt })
  }

/** `GET /platform/admin/accounts` */
export const createListAccounts =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> =>
    sendJson(exchange, 200, { data: (await accounts.profiles.list()).map(listedAccountJson) })

const listedAccountJson = ({
  id,
  email,
  emailVerified,
  isOwner,
  createdAt,
  lastSeenAt,
  suspendedAt,
  hasTotp,
  hasPasskeys,
}: AccountRecord) => ({
  id,
  email,
  emailVerified,
  isOwner,
  createdAt,
  lastSeenAt,
  suspended: suspendedAt !== null,
  twoFactor: hasTotp,
  passkeys: hasPasskeys,
})
