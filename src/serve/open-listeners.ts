import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import { addListenerChecks } from '../health/check-listener.ts'
import type { SelfChecks } from '../health/self-checks.ts'
import { controlSocketPath, removeStaleSocket } from '../http/control-socket.ts'
import type { Dispatch } from '../http/dispatch.ts'
import { type Listener, listen } from '../http/listen.ts'
import { loopbackName } from '../http/loopback-name.ts'
import { openTls } from '../http/tls/open-tls.ts'
import { createCertificateGauge } from '../metrics/certificate-gauge.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Replays } from '../replay/replays.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'
import type { Closers } from './closers.ts'
import { drain } from './drain.ts'
import type { ShutdownDelay } from './shutdown-delay.ts'
import { dispatchOfAll, listenWithWorkers } from './workers/listen-with-workers.ts'
import type { Workers } from './workers/workers.ts'

type ListenersDependencies = {
  config: Config
  clock: Clock
  log: Log
  /** Of the data directory, where a self-signed certificate is kept. */
  directory: string
  dispatch: Dispatch
  replays: Replays
  notifier: LedgerNotifier
  delay: ShutdownDelay
  metrics: Metrics
  checks: SelfChecks
  /** Null: the main thread listens on the network. */
  workers: Workers | null
  closers: Closers
}

type OpenedListeners = {
  /** The address it listens on. */
  url: string
  /** The same for browsers on this machine. */
  localUrl: string
  /** When the certificate in use ends; null without TLS. */
  certificateEndsAt(): number | null
}

/** From here on requests arrive, from the network and through the control socket. */
export const openListeners = async (dependencies: ListenersDependencies): Promise<OpenedListeners> => {
  const { config, clock, log, directory, dispatch, replays, notifier, delay, workers, closers } = dependencies
  const { host, dataDir, shutdownGraceMs } = config
  const tls = await openTls({ config, directory, clock, log })
  closers.add(() => tls?.close())
  if (tls !== null) dependencies.metrics.add(createCertificateGauge(tls))
  const listeners: Listener[] = []
  const drained = workers === null ? dispatch : dispatchOfAll(dispatch, workers)
  closers.add(() => drain({ listeners, dispatch: drained, replays, notifier, delay, shutdownGraceMs, clock, log }))
  const target = { host, port: config.port, tls: tls?.pair ?? null }
  const network =
    workers === null
      ? await listen(target, config, dispatch)
      : await listenWithWorkers({ workers, target, dataDir, config, dispatch })
  listeners.push(network)
  tls?.onChange(network.setCertificate)
  const socketPath = controlSocketPath(dataDir)
  removeStaleSocket(socketPath)
  listeners.push(await listen({ socketPath }, config, dispatch))

  const scheme = tls === null ? 'http' : 'https'
  const port = network.address?.port ?? config.port
  const url = `${scheme}://${authority(host, port)}`
  addListenerChecks(dependencies.checks, { config, url, tls, now: () => clock.now() })
  return {
    url,
    localUrl: `${scheme}://${authority(await loopbackName(host, port), port)}`,
    certificateEndsAt: () => tls?.endsAt ?? null,
  }
}

const authority = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
