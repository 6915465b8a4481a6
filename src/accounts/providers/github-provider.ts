import { isRecord } from '../../base/is-record.ts'
import { callProvider } from './call-provider.ts'
import { type Provider, ProviderFault } from './provider.ts'

type GithubOptions = {
  clientId: string
  clientSecret: string
  /** `https://github.com`, or that of an enterprise server. */
  url: string
  apiUrl: string
}

/**
 * GitHub supports OAuth but not OpenID Connect. There is no ID token, so the user is read from its API with the access token
 * that the code is exchanged for. The token is used for these two calls and then discarded.
 */
export const createGithubProvider = ({ clientId, clientSecret, url, apiUrl }: GithubOptions): Provider => ({
  id: 'github',
  name: 'GitHub',
  issuer: url,
  async signInUrl({ redirectUri, state, codeChallenge }) {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${url}/login/oauth/authorize?${query}`
  },
  async identify({ redirectUri, code, codeVerifier }) {
    const body = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
    const response = await callProvider(`${url}/login/oauth/access_token`, 'token endpoint', { method: 'POST', body })
    // A refused code has status 200 and an `error`.
    const { access_token: token } = isRecord(response) ? response : {}
    if (typeof token !== 'string') throw new ProviderFault('token endpoint: the code was refused')
    const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }
    const user = await callProvider(`${apiUrl}/user`, 'user', { headers })
    if (!isRecord(user) || typeof user.id !== 'number') throw new ProviderFault('user: has no id')
    const address = primaryAddress(await callProvider(`${apiUrl}/user/emails`, 'emails', { headers }))
    const name = [user.name, user.login].find((each) => typeof each === 'string' && each.trim() !== '')
    return {
      issuer: url,
      // Not the login, which can be released and taken by somebody else.
      subject: String(user.id),
      email: address?.email ?? null,
      emailVerified: address?.isVerified ?? false,
      name: typeof name === 'string' ? name.trim() : null,
    }
  },
})

const primaryAddress = (addresses: unknown): { email: string; isVerified: boolean } | null => {
  if (!Array.isArray(addresses)) throw new ProviderFault('emails: no list')
  const primary = addresses.filter(isRecord).find((each) => each.primary === true)
  if (primary === undefined || typeof primary.email !== 'string') return null
  return { email: primary.email, isVerified: primary.verified === true }
}
