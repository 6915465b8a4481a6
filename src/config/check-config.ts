import { canonicalNetwork } from '../base/ip-network.ts'
import { isLoopback } from '../base/is-loopback.ts'
import { type Config, environmentName, type SettingName } from './settings.ts'

/** Settings that are valid individually but conflict: the names are those to look at. */
export type Conflict = { names: readonly SettingName[]; message: string }

/** All conflicts of settings that are valid individually. */
export const findConflicts = (config: Config): Conflict[] => [
  ...transportConflicts(config),
  ...upstreamConflicts(config),
  ...storeConflicts(config),
  ...providerConflicts(config),
  ...mailConflicts(config),
  ...webhookConflicts(config),
]

function* transportConflicts(config: Config): Generator<Conflict> {
  const names = ['tlsCert', 'tlsKey', 'tls'] as const
  if ((config.tlsCert === null) !== (config.tlsKey === null))
    yield { names, message: 'HELIX_TLS_CERT and HELIX_TLS_KEY must be set together: set both or neither' }
  if (config.tlsCert !== null && config.tls === 'self-signed')
    yield { names, message: 'HELIX_TLS=self-signed and HELIX_TLS_CERT are mutually exclusive: set only one' }
  if (!isLoopback(config.host) && !servesTls(config) && !config.allowPlaintext)
    yield {
      names: ['host'],
      message:
        `HELIX_HOST=${config.host} can be reached by other machines, but TLS is off: set HELIX_TLS_CERT and HELIX_TLS_KEY, ` +
        'or HELIX_ALLOW_PLAINTEXT=1 if a proxy in front terminates TLS',
    }
}

function* upstreamConflicts({
  upstreamUrl,
  upstreamModel,
  upstreamKey,
  upstreams,
  models,
}: Config): Generator<Conflict> {
  const names = ['upstreamUrl', 'upstreamModel', 'upstreamKey'] as const
  if (upstreamUrl !== null && upstreamModel === null)
    yield { names, message: 'HELIX_UPSTREAM_URL requires HELIX_UPSTREAM_MODEL, the name of the model at the upstream' }
  if (upstreamUrl === null && (upstreamModel !== null || upstreamKey !== null))
    yield { names, message: 'HELIX_UPSTREAM_MODEL and HELIX_UPSTREAM_KEY require HELIX_UPSTREAM_URL' }
  const isDefault = upstreams.some((upstream) => upstream.models?.some((model) => model.default))
  if (upstreamUrl !== null && upstreams.some(({ name }) => name === 'upstream'))
    yield {
      names: ['upstreams'],
      message: "upstreams: the name 'upstream' is that of HELIX_UPSTREAM_URL; choose another",
    }
  if (upstreamUrl !== null && isDefault)
    yield {
      names: ['upstreams'],
      message: 'upstreams: with HELIX_UPSTREAM_URL, its model is the default; mark no other',
    }
  if (isDefault && models.some((model) => model.default))
    yield {
      names: ['models', 'upstreams'],
      message: 'models and upstreams: only one model can be marked as the default',
    }
}

function* storeConflicts(config: Config): Generator<Conflict> {
  if (config.nextSecretKey !== null && config.secretKey === null)
    yield {
      names: ['nextSecretKey'],
      message: 'HELIX_NEXT_SECRET_KEY requires HELIX_SECRET_KEY, the key that it will replace',
    }
  if (config.redis !== null && config.store === null)
    yield {
      names: ['redis'],
      message:
        'HELIX_REDIS requires HELIX_STORE, the PostgreSQL database of the cluster: a server with a database of its own needs no Redis',
    }
  if (config.cacheStore === 'redis' && config.redis === null)
    yield { names: ['cacheStore'], message: 'HELIX_CACHE_STORE=redis requires HELIX_REDIS, the Redis of the cluster' }
  if (config.engineNodeUrl !== null && !config.engineNodeUrl.startsWith('https:'))
    yield {
      names: ['engineNodeUrl'],
      message: 'HELIX_ENGINE_NODE_URL must use https://: engine nodes always use TLS',
    }
}

function* providerConflicts(config: Config): Generator<Conflict> {
  for (const [id, secret, name] of clients(config))
    if ((id === null) !== (secret === null))
      yield {
        names: clientSettings[name],
        message: `HELIX_${name}_CLIENT_ID and HELIX_${name}_CLIENT_SECRET must be set together: set both or neither`,
      }
  if ((config.oidcIssuer === null) !== (config.oidcClientId === null))
    yield {
      names: ['oidcIssuer', 'oidcClientId'],
      message: 'HELIX_OIDC_ISSUER and HELIX_OIDC_CLIENT_ID must be set together: set both or neither',
    }
  for (const name of ['oidcIssuer', 'githubUrl', 'githubApiUrl'] as const) {
    const url = config[name]
    if (url !== null && !url.startsWith('https:') && !isLoopback(new URL(url).hostname))
      yield { names: [name], message: `${environmentName(name)} must use https://, because it identifies users` }
  }
  // Providers redirect users only to a registered address.
  if (clients(config).some(([id]) => id !== null) && config.publicUrl === null && !isLoopback(config.host))
    yield {
      names: ['githubClientId', 'googleClientId', 'oidcClientId'],
      message: 'Sign-in with a provider requires HELIX_PUBLIC_URL, the address that users are redirected to',
    }
}

function* mailConflicts(config: Config): Generator<Conflict> {
  const names = ['smtpUrl'] as const
  if (config.smtpUrl !== null && config.mailFrom === null)
    yield { names, message: 'HELIX_SMTP_URL requires HELIX_MAIL_FROM, the sender address for email' }
  // Links in email must not depend on the Host header of a request.
  if (config.smtpUrl !== null && config.publicUrl === null && !isLoopback(config.host))
    yield { names, message: 'HELIX_SMTP_URL requires HELIX_PUBLIC_URL, the address used for links in email' }
}

function* webhookConflicts({ webhookNetworks }: Config): Generator<Conflict> {
  const unknown = webhookNetworks.find((network) => canonicalNetwork(network) === undefined)
  if (unknown !== undefined)
    yield {
      names: ['webhookNetworks'],
      message: `HELIX_WEBHOOK_NETWORKS: '${unknown}' is no IP address or CIDR range`,
    }
}

const clientSettings = {
  GITHUB: ['githubClientId', 'githubClientSecret'],
  GOOGLE: ['googleClientId', 'googleClientSecret'],
  OIDC: ['oidcClientId', 'oidcClientSecret'],
} as const

const clients = (config: Config) =>
  [
    [config.githubClientId, config.githubClientSecret, 'GITHUB'],
    [config.googleClientId, config.googleClientSecret, 'GOOGLE'],
    [config.oidcClientId, config.oidcClientSecret, 'OIDC'],
  ] as const

export const servesTls = (config: Config): boolean => config.tls === 'self-signed' || config.tlsCert !== null
