import { isLoopback } from '../base/is-loopback.ts'
import { SettingError } from './setting.ts'
import type { Config } from './settings.ts'

/** Checks for settings that are valid individually but conflict. */
export const checkConfig = (config: Config): Config => {
  if ((config.tlsCert === null) !== (config.tlsKey === null))
    throw new SettingError('HELIX_TLS_CERT and HELIX_TLS_KEY must be set together: set both or neither')
  if (config.tlsCert !== null && config.tls === 'self-signed')
    throw new SettingError('HELIX_TLS=self-signed and HELIX_TLS_CERT are mutually exclusive: set only one')
  if (config.upstreamUrl !== null && config.upstreamModel === null)
    throw new SettingError('HELIX_UPSTREAM_URL requires HELIX_UPSTREAM_MODEL, the name of the model at the upstream')
  if (config.upstreamUrl === null && (config.upstreamModel !== null || config.upstreamKey !== null))
    throw new SettingError('HELIX_UPSTREAM_MODEL and HELIX_UPSTREAM_KEY require HELIX_UPSTREAM_URL')
  checkUpstreams(config)
  if (config.nextSecretKey !== null && config.secretKey === null)
    throw new SettingError('HELIX_NEXT_SECRET_KEY requires HELIX_SECRET_KEY, the key that it will replace')
  if (config.redis !== null && config.store === null)
    throw new SettingError(
      'HELIX_REDIS requires HELIX_STORE, the PostgreSQL database of the cluster: a server with a database of its own needs no Redis',
    )
  if (config.engineNodeUrl !== null && !config.engineNodeUrl.startsWith('https:'))
    throw new SettingError('HELIX_ENGINE_NODE_URL must use https://: engine nodes always use TLS')
  if (config.smtpUrl !== null && config.mailFrom === null)
    throw new SettingError('HELIX_SMTP_URL requires HELIX_MAIL_FROM, the sender address for email')
  for (const [id, secret, name] of clients(config))
    if ((id === null) !== (secret === null))
      throw new SettingError(
        `HELIX_${name}_CLIENT_ID and HELIX_${name}_CLIENT_SECRET must be set together: set both or neither`,
      )
  if ((config.oidcIssuer === null) !== (config.oidcClientId === null))
    throw new SettingError('HELIX_OIDC_ISSUER and HELIX_OIDC_CLIENT_ID must be set together: set both or neither')
  for (const [url, name] of [
    [config.oidcIssuer, 'OIDC_ISSUER'],
    [config.githubUrl, 'GITHUB_URL'],
    [config.githubApiUrl, 'GITHUB_API_URL'],
  ] as const)
    if (url !== null && !url.startsWith('https:') && !isLoopback(new URL(url).hostname))
      throw new SettingError(`HELIX_${name} must use https://, because it identifies users`)
  // Providers redirect users only to a registered address.
  if (clients(config).some(([id]) => id !== null) && config.publicUrl === null && !isLoopback(config.host))
    throw new SettingError(
      'Sign-in with a provider requires HELIX_PUBLIC_URL, the address that users are redirected to',
    )
  // Links in email must not depend on the Host header of a request.
  if (config.smtpUrl !== null && config.publicUrl === null && !isLoopback(config.host))
    throw new SettingError('HELIX_SMTP_URL requires HELIX_PUBLIC_URL, the address used for links in email')
  if (!isLoopback(config.host) && !servesTls(config) && !config.allowPlaintext)
    throw new SettingError(
      `HELIX_HOST=${config.host} can be reached by other machines, but TLS is off: set HELIX_TLS_CERT and HELIX_TLS_KEY, ` +
        'or HELIX_ALLOW_PLAINTEXT=1 if a proxy in front terminates TLS',
    )
  return config
}

const checkUpstreams = ({ upstreamUrl, upstreams, models }: Config): void => {
  const isDefault = upstreams.some((upstream) => upstream.models?.some((model) => model.default))
  if (upstreamUrl !== null && upstreams.some(({ name }) => name === 'upstream'))
    throw new SettingError("upstreams: the name 'upstream' is that of HELIX_UPSTREAM_URL; choose another")
  if (upstreamUrl !== null && isDefault)
    throw new SettingError('upstreams: with HELIX_UPSTREAM_URL, its model is the default; mark no other')
  if (isDefault && models.some((model) => model.default))
    throw new SettingError('models and upstreams: only one model can be marked as the default')
}

const clients = (config: Config) =>
  [
    [config.githubClientId, config.githubClientSecret, 'GITHUB'],
    [config.googleClientId, config.googleClientSecret, 'GOOGLE'],
    [config.oidcClientId, config.oidcClientSecret, 'OIDC'],
  ] as const

export const servesTls = (config: Config): boolean => config.tls === 'self-signed' || config.tlsCert !== null
