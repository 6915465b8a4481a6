import { warnOfProxies } from '../config/public-name.ts'
import type { Config } from '../config/settings.ts'
import type { OpenTls } from '../http/tls/open-tls.ts'
import type { Finding, SelfChecks } from './self-checks.ts'

const dayMs = 86_400_000
/** Most certificates are renewed a month before they end. */
const soonMs = 14 * dayMs

type ListenerChecks = {
  config: Pick<Config, 'host' | 'publicUrl'>
  /** Where it listens. */
  url: string
  /** Null: plain HTTP. */
  tls: Pick<OpenTls, 'endsAt' | 'problem'> | null
  now(): number
}

export const addListenerChecks = (checks: SelfChecks, { config, url, tls, now }: ListenerChecks): void => {
  checks.add('port', () => ({ state: 'ok', detail: `listens on ${url}` }))
  checks.add('tls', () =>
    tls === null ? { state: 'ok', detail: 'off (plain HTTP)' } : judgeCertificate(tls.endsAt, tls.problem, now()),
  )
  checks.add('public address', () => checkPublicUrl(config))
}

export const checkPublicUrl = (config: ListenerChecks['config']): Finding => {
  const detail = warnOfProxies(config)
  return detail === null ? { state: 'ok', detail: config.publicUrl ?? 'not set' } : { state: 'warning', detail }
}

/** `problem`: why a newer certificate is not used. */
const judgeCertificate = (endsAt: number, problem: string | null, now: number): Finding => {
  const day = new Date(endsAt).toISOString().slice(0, 10)
  if (endsAt <= now) return { state: 'failed', detail: `the certificate expired on ${day}` }
  const detail = `the certificate is valid until ${day}`
  if (problem !== null) return { state: 'warning', detail: `${detail}; the new one cannot be used: ${problem}` }
  return { state: endsAt - now < soonMs ? 'warning' : 'ok', detail }
}
