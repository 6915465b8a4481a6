import { hostname } from 'node:os'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { fullVersion } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createTraceFamilies } from '../metrics/trace-families.ts'
import { addExportCounts } from '../traces/add-export-counts.ts'
import { createOtlpRequest } from '../traces/otlp-request.ts'
import { createSpanPost } from '../traces/post-spans.ts'
import { createSpanExporter, type ExportCounts } from '../traces/span-exporter.ts'
import { createTraces, type Traces } from '../traces/traces.ts'
import type { Closers } from './closers.ts'

type TracesDependencies = {
  config: Config
  clock: Clock
  log: Log
  closers: Closers
  /** Those of the whole server; `countsOfWorkers` has what its workers sent. */
  metrics?: { families: Pick<Metrics, 'add'>; countsOfWorkers(): readonly ExportCounts[] }
  /** Of a worker, which has no metrics. */
  onCounts?: (counts: ExportCounts) => void
}

/** Null unless the settings name a collector: then nothing is recorded. */
export const openTraces = ({ config, clock, log, closers, metrics, onCounts }: TracesDependencies): Traces | null => {
  const { tracesEndpoint: url, tracesHeaders: headers, nodeName } = config
  if (url === null) return null
  const name = nodeName ?? hostname()
  const resource = {
    'service.name': config.tracesServiceName,
    'service.version': fullVersion,
    'service.instance.id': name,
    'host.name': hostname(),
    'telemetry.sdk.name': 'helix',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': fullVersion,
    ...config.tracesResource,
  }
  const exporter = createSpanExporter({
    collector: createSpanPost({ url, headers, clock }),
    wrap: createOtlpRequest(resource, fullVersion),
    clock,
    log,
    ...(onCounts === undefined ? {} : { onCounts }),
  })
  closers.add(() => exporter.close())
  metrics?.families.add(
    ...createTraceFamilies(() => addExportCounts([exporter.counts(), ...metrics.countsOfWorkers()])),
  )
  return createTraces({
    sampleRatio: config.tracesSampleRatio,
    slowMs: config.tracesSlowMs,
    followsCallers: config.tracesTrustCallers,
    hasContent: config.tracesContent,
    exporter,
    clock,
  })
}
