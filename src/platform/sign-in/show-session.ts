import type { Accounts } from '../../accounts/accounts.ts'
import { canHavePasskeys } from '../../accounts/passkeys/relying-party.ts'
import { mintToken, pageToken } from '../../accounts/secrets/secret-token.ts'
import { fullVersion } from '../../base/version.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import type { PriceLookup } from '../../models/price-lookup.ts'
import { correctHint, sessionToken, visitToken, writeSession, writeVisit } from '../../session/session-cookies.ts'
import { forbidCaching } from '../../session/session-guard.ts'
import type { OpenSession } from '../../store/account-contract.ts'
import { accountJson } from '../account/account-json.ts'
import type { UsableModel } from '../contract/models.ts'
import type { Session } from '../contract/sign-in.ts'
import { ownOrganisationJson } from '../organisation/organisation-json.ts'

type ShowSessionDependencies = {
  accounts: Pick<Accounts, 'sessions' | 'signUp' | 'mail' | 'providers' | 'teams'>
  models: Pick<Models, 'list' | 'defaultPool'>
  findPrice: PriceLookup
  currency: string
  siteUrl: string
}

/** Who is signed in, and what a page needs to start. */
export const showSession = async (
  exchange: Exchange,
  { accounts, models, findPrice, currency, siteUrl }: ShowSessionDependencies,
): Promise<Session> => {
  forbidCaching(exchange)
  const token = sessionToken(exchange)
  const found = token === null ? null : await accounts.sessions.find(token, exchange.origin.clientAddress)
  const isSuspended = found !== null && found.account.suspendedAt !== null
  const open = isSuspended ? null : found
  correctHint(exchange, open !== null)
  if (token !== null && open?.renewed) writeSession(exchange, token)
  const visit = ensureVisit(exchange)
  return {
    ...(open === null ? signedOut : await openSessionJson(open, accounts)),
    suspended: isSuspended,
    signUp: await accounts.signUp.state(),
    mail: accounts.mail.sendsMail,
    providers: accounts.providers.list,
    passkeys: canHavePasskeys(siteUrl),
    csrfToken: pageToken(open !== null && token !== null ? token : visit),
    baseUrl: `${siteUrl}/v1`,
    model: models.defaultPool.model.id,
    models: open === null ? [] : models.list().map(usableModelJson),
    currency,
    hasPrices: models.list().some(({ model }) => findPrice(model.id) !== null),
    version: fullVersion,
  }
}

const usableModelJson = ({ model: { id, contextTokens, features, sampling }, kind }: ModelPool): UsableModel => ({
  id,
  kind,
  contextTokens,
  capabilities: [...(features ?? [])],
  sampling: sampling ?? null,
})

const signedOut = { account: null, organisation: null, organisations: [] }

const openSessionJson = async (open: OpenSession, { teams }: Pick<Accounts, 'teams'>) => {
  const organisations = (await teams.organisations(open.account.id)).map(ownOrganisationJson)
  const active = organisations.find(({ id }) => id === open.organisation.id)
  const needsSecondFactor = open.needsSecondFactor && !open.session.hasSecondFactor
  return {
    account: accountJson(open.account),
    // Null where the membership ended a moment ago: the next request finds another organisation.
    organisation: active === undefined ? null : { ...active, needsSecondFactor },
    organisations,
  }
}

const ensureVisit = (exchange: Exchange): string => {
  const known = visitToken(exchange)
  if (known !== null) return known
  const token = mintToken()
  writeVisit(exchange, token)
  return token
}
