import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { JOSEError } from 'jose/errors'
import { ProviderFault } from './provider.ts'

export type Claims = JWTPayload & { sub: string }

type Expected = { issuer: string; clientId: string; nonce: string; now: number }

/** Asymmetric ones only: `none` and shared-secret algorithms would let a token choose a weaker proof. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
/** How far the provider's clock and ours may differ. */
const clockToleranceSeconds = 60
/** A sign-in expires after ten minutes, and its nonce did not exist before it began. */
const maxTokenAgeSeconds = 600
/** ID tokens have one or two kilobytes, tens of them where they list groups. */
const maxTokenCharacters = 100_000

/**
 * OpenID Connect Core §3.1.3.7: resolves to the claims if the provider signed them for this client, in response to this
 * sign-in, and they have not expired. `jose` is loaded at the first sign-in, as many servers have no providers.
 */
export const verifyIdToken = async (token: string, keys: JWTVerifyGetKey, expected: Expected): Promise<Claims> => {
  if (token.length > maxTokenCharacters) throw new ProviderFault('the ID token is too long')
  const { issuer, clientId, nonce, now } = expected
  const { jwtVerify } = await import('jose/jwt/verify')
  const options = {
    algorithms,
    issuer,
    audience: clientId,
    currentDate: new Date(now),
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: maxTokenAgeSeconds,
    requiredClaims: ['exp', 'sub', 'nonce'],
  }
  const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
    throw error instanceof ProviderFault
      ? error
      : new ProviderFault(`the ID token was refused: ${refusalReason(error)}`)
  })
  return checkOpenidClaims(payload, clientId, nonce)
}

/** What OpenID Connect requires beyond a valid JWT. */
const checkOpenidClaims = (claims: JWTPayload, clientId: string, nonce: string): Claims => {
  const { aud, azp, sub } = claims
  const hasSeveralAudiences = Array.isArray(aud) && aud.length > 1
  if ((hasSeveralAudiences || azp !== undefined) && azp !== clientId)
    throw new ProviderFault('the ID token was issued to another client (azp)')
  if (claims.nonce !== nonce) throw new ProviderFault('the ID token belongs to another sign-in (nonce)')
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new ProviderFault('the ID token has no usable subject (sub)')
  return { ...claims, sub }
}

/** The code and the claim's name, never the error itself, which contains the claims. */
const refusalReason = (error: unknown): string => {
  if (!(error instanceof JOSEError)) return 'the key it names cannot be used'
  return 'claim' in error ? `${error.code} (${error.claim})` : error.code
}
