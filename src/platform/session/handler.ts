import type { Accounts } from '../../accounts/accounts.ts'
import { canHavePasskeys } from '../../accounts/passkeys/relying-party.ts'
import { mintToken, pageToken } from '../../accounts/secrets/secret-token.ts'
import type { SignedIn } from '../../accounts/sessions/sessions.ts'
import type { SignInResult } from '../../accounts/sign-in/sign-in-steps.ts'
import { version } from '../../base/version.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import {
  clearSession,
  correctHint,
  sessionToken,
  visitorOf,
  visitToken,
  writeSession,
  writeVisit,
} from '../../session/session-cookies.ts'
import { forbidCaching } from '../../session/session-guard.ts'
import type { OpenSession } from '../../store/account-contract.ts'
import { actorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { ownOrganisationJson } from '../organisation/organisation-json.ts'
import { signedInJson } from './signed-in-json.ts'

type ShowSessionRooms = { accounts: Accounts; engine: Engine; publicUrl: string | null }

/** `GET /platform/session`: who is there, and what a page needs to begin with. */
export const createShowSession =
  ({ accounts, engine, publicUrl }: ShowSessionRooms) =>
  async (exchange: Exchange): Promise<void> => {
    forbidCaching(exchange)
    const token = sessionToken(exchange)
    const found = token === null ? null : await accounts.sessions.find(token, exchange.origin.clientAddress)
    const isSuspended = found !== null && found.account.suspendedAt !== null
    const open = isSuspended ? null : found
    correctHint(exchange, open !== null)
    if (token !== null && open?.renewed) writeSession(exchange, token)
    const visit = ensureVisit(exchange)
    sendJson(exchange, 200, {
      ...(open === null ? { account: null, organisation: null } : await openSessionJson(open, accounts)),
      suspended: isSuspended,
      signUp: await accounts.signUp.state(),
      mail: accounts.mail.sendsMail,
      providers: accounts.providers.list,
      passkeys: canHavePasskeys(publicUrl ?? exchange.origin.origin),
      csrfToken: pageToken(open !== null && token !== null ? token : visit),
      baseUrl: `${publicUrl ?? exchange.origin.origin}/v1`,
      model: engine.model.id,
      version,
    })
  }

/** With the role, and the other organisations there are to switch to. */
const openSessionJson = async (open: OpenSession, { teams }: Accounts) => {
  const { organisation, ...signedIn } = signedInJson(open)
  return {
    ...signedIn,
    organisation: {
      ...organisation,
      role: open.role,
      suspended: open.isOrganisationSuspended,
      needsSecondFactor: open.needsSecondFactor && !open.session.hasSecondFactor,
    },
    organisations: (await teams.organisations(open.account.id)).map(ownOrganisationJson),
  }
}

const ensureVisit = (exchange: Exchange): string => {
  const known = visitToken(exchange)
  if (known !== null) return known
  const token = mintToken()
  writeVisit(exchange, token)
  return token
}

const credentials = object({ email: string(), password: string() })

/** `POST /platform/sign-in` */
export const createSignInHandler =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { email, password } = await readJson(exchange, bodyLimitBytes, credentials)
    sendEntry(exchange, await accounts.passwordSignIn(email, password, visitorOf(exchange)))
  }

const secondStep = object({ token: string(), code: string() })

/** `POST /platform/sign-in/code`: the second step, where there is one. */
export const createFinishSignIn =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { token, code } = await readJson(exchange, bodyLimitBytes, secondStep)
    const { signedIn, codesLeft } = await accounts.signInSteps.finishWithCode(token, code, visitorOf(exchange))
    sendSignedIn(exchange, signedIn, { recoveryCodesLeft: codesLeft })
  }

/** A session, or what the page needs to ask for the code. */
export const sendEntry = (exchange: Exchange, entry: SignInResult, more: Record<string, unknown> = {}): void => {
  if (entry.outcome === 'signed_in') sendSignedIn(exchange, entry.signedIn, more)
  else sendJson(exchange, 200, { account: null, organisation: null, secondStep: entry.step, ...more })
}

/** The one place where a browser gets a session. */
export const sendSignedIn = (exchange: Exchange, signedIn: SignedIn, more: Record<string, unknown> = {}): void => {
  exchange.logFields.accountId = signedIn.account.id
  writeSession(exchange, signedIn.token)
  sendJson(exchange, 200, { ...signedInJson(signedIn), ...more })
}

/** `POST /platform/sign-out` */
export const createSignOut =
  (accounts: Accounts) =>
  async (exchange: Exchange, person: Person): Promise<void> => {
    await accounts.sessions.end(actorOf(exchange, person), person.sessionId)
    clearSession(exchange)
    sendNothing(exchange)
  }
