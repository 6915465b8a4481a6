import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { shorten, string } from '../../http/schema/scalars.ts'
import { clearSession, writeSession } from '../../session/session-cookies.ts'
import type { SessionRecord } from '../../store/account-contract.ts'
import { actorOf, holderOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { language } from '../session/sign-up.ts'

type Handle = (exchange: Exchange, person: Person) => Promise<void>

const passwordBody = object({ currentPassword: optional(nullable(string())), newPassword: string() })

/** `POST /platform/account/password` */
export const createChangePassword =
  (accounts: Accounts): Handle =>
  async (exchange, person) => {
    const { currentPassword = null, newPassword } = await readJson(exchange, bodyLimitBytes, passwordBody)
    writeSession(exchange, await accounts.passwords.change(holderOf(exchange, person), currentPassword, newPassword))
    sendNothing(exchange)
  }

const languageBody = object({ language })

/** `POST /platform/account/language` */
export const createSetLanguage =
  (accounts: Accounts): Handle =>
  async (exchange, { accountId }) => {
    const body = await readJson(exchange, bodyLimitBytes, languageBody)
    await accounts.profiles.setLanguage(accountId, body.language)
    sendNothing(exchange)
  }

/** `GET /platform/account/sessions` */
export const createListSessions =
  (accounts: Accounts): Handle =>
  async (exchange, { accountId, sessionId }) => {
    const sessions = await accounts.sessions.list(accountId)
    sendJson(exchange, 200, { data: sessions.map((session) => sessionJson(session, sessionId)) })
  }

const sessionJson = ({ id, createdAt, lastSeenAt, address, userAgent }: SessionRecord, currentId: string) => ({
  id,
  createdAt,
  lastSeenAt,
  address,
  userAgent,
  current: id === currentId,
})

/** `POST /platform/account/sessions/{session}/revoke` */
export const createRevokeSession =
  (accounts: Accounts): Handle =>
  async (exchange, person) => {
    const { session = '' } = exchange.params
    if (!(await accounts.sessions.end(actorOf(exchange, person), session)))
      throw ApiError.of('session_not_found', { id: shorten(session) })
    if (session === person.sessionId) clearSession(exchange)
    sendNothing(exchange)
  }

const deleteBody = object({ password: optional(nullable(string())) })

/** `POST /platform/account/delete` */
export const createDeleteAccount =
  (accounts: Accounts): Handle =>
  async (exchange, person) => {
    const { password = null } = await readJson(exchange, bodyLimitBytes, deleteBody)
    await accounts.passwords.removeAccount(holderOf(exchange, person), password)
    clearSession(exchange)
    sendNothing(exchange)
  }
