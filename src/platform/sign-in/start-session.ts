import type { SignedIn as OpenedSession } from '../../accounts/sessions/sessions.ts'
import type { SignInResult } from '../../accounts/sign-in/sign-in-steps.ts'
import type { Exchange } from '../../http/exchange.ts'
import { writeSession } from '../../session/session-cookies.ts'
import { accountJson } from '../account/account-json.ts'
import type { Entered, SignedIn } from '../contract/sign-in.ts'

/** The one place where a browser gets a session. */
export const startSession = (exchange: Exchange, { account, organisation, token }: OpenedSession): SignedIn => {
  exchange.logFields.accountId = account.id
  writeSession(exchange, token)
  const { id, name, createdAt } = organisation
  return { account: accountJson(account), organisation: { id, name, createdAt } }
}

/** A session, or what the page needs to ask for the code. */
export const enter = (exchange: Exchange, result: SignInResult): Entered =>
  result.outcome === 'signed_in'
    ? startSession(exchange, result.signedIn)
    : { account: null, organisation: null, secondStep: result.step }
