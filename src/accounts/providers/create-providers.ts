import type { Clock } from '../../base/clock.ts'
import { createGithubProvider } from './github-provider.ts'
import { createOpenidProvider } from './openid-provider.ts'
import type { Provider } from './provider.ts'

export type ProviderSettings = {
  githubClientId: string | null
  githubClientSecret: string | null
  githubUrl: string
  githubApiUrl: string
  googleClientId: string | null
  googleClientSecret: string | null
  oidcIssuer: string | null
  oidcClientId: string | null
  oidcClientSecret: string | null
  oidcName: string
}

/** The configured providers, in the order in which the sign-in page shows them. */
export const createProviders = (settings: ProviderSettings, clock: Clock): Provider[] => {
  const google = pair(settings.googleClientId, settings.googleClientSecret)
  const github = pair(settings.githubClientId, settings.githubClientSecret)
  const oidc = pair(settings.oidcClientId, settings.oidcClientSecret)
  const { oidcIssuer: issuer, oidcName: name, githubUrl: url, githubApiUrl: apiUrl } = settings
  return [
    ...(oidc === null || issuer === null ? [] : [createOpenidProvider({ id: 'oidc', name, issuer, clock, ...oidc })]),
    ...(github === null ? [] : [createGithubProvider({ url, apiUrl, ...github })]),
    ...(google === null
      ? []
      : [createOpenidProvider({ id: 'google', name: 'Google', issuer: googleIssuer, clock, ...google })]),
  ]
}

const googleIssuer = 'https://accounts.google.com'

const pair = (clientId: string | null, clientSecret: string | null) =>
  clientId === null || clientSecret === null ? null : { clientId, clientSecret }
