import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { loadCertificate, watchCertificate } from './certificate.ts'
import type { CertificatePair, CertificatePaths, PairBytes } from './pair.ts'
import { ensureSelfSigned } from './self-signed.ts'

/** The configured certificate, and notice of every later one. */
export interface OpenTls {
  readonly pair: CertificatePair
  /** Called with each new pair; an unusable one is logged and changes nothing. */
  onChange(take: (pair: PairBytes) => void): void
  /** When the certificate in use ends, in milliseconds since 1970. */
  readonly endsAt: number
  /** Why the files that are there now are not used; null if they are. */
  readonly problem: string | null
  close(): void
}

type TlsConfig = { tls: 'off' | 'self-signed'; tlsCert: string | null; tlsKey: string | null; host: string }

type OpenTlsOptions = {
  config: TlsConfig
  /** Where a self-signed pair is kept. */
  directory: string
  clock: Clock
  log: Log
}

/** Null if plain HTTP is configured. */
export const openTls = async (options: OpenTlsOptions): Promise<OpenTls | null> => {
  const { clock, log } = options
  const paths = await certificatePaths(options)
  if (paths === null) return null
  const pair = await loadCertificate({ ...paths, now: clock.now() })
  for (const warning of pair.warnings) log.warn('certificate', { warning })
  let latest = pair
  let problem: string | null = null
  let take: (next: PairBytes) => void = () => {}
  const watch = watchCertificate({
    ...paths,
    clock,
    current: pair,
    onChange(next) {
      latest = next
      problem = null
      take(next)
      log.info('certificate_changed', { subject: next.subject, notAfter: next.notAfter.toISOString() })
    },
    onBroken(error) {
      problem = error.message
      log.error('certificate_refused', { error: error.message })
    },
  })
  return {
    pair,
    onChange(listener) {
      take = listener
      if (latest !== pair) take(latest)
    },
    get endsAt() {
      return latest.notAfter.getTime()
    },
    get problem() {
      return problem
    },
    close: () => watch.close(),
  }
}

const certificatePaths = async (options: OpenTlsOptions): Promise<CertificatePaths | null> => {
  const { config, clock, directory } = options
  if (config.tlsCert !== null && config.tlsKey !== null) return { certPath: config.tlsCert, keyPath: config.tlsKey }
  if (config.tls === 'off') return null
  return ensureSelfSigned(join(directory, 'tls'), { hosts: [config.host], now: clock.now() })
}
