import { isRecord } from '../base/is-record.ts'
import { type Described, flag, integer, refuse, type Setting, text } from './setting.ts'
import { httpUrl } from './url-setting.ts'

/** From 0 to 1. */
const ratio = (options: Described<number>): Setting<number> => {
  const kind = 'a number from 0 to 1'
  return {
    ...options,
    kind,
    read(value) {
      const number = typeof value === 'string' && /^\d*\.?\d+$/.test(value.trim()) ? Number(value) : value
      return typeof number === 'number' && number >= 0 && number <= 1 ? number : refuse(kind)
    },
  }
}

const token = /^[\w!#$%&'*+.^`|~/-]+$/
/** What a header can have once it is decoded. */
const isHeaderValue = (value: string): boolean => /^[\x20-\x7e]*$/.test(value)

/** `name=value` separated by commas, values percent-encoded, as the variables of OpenTelemetry have them. */
const pairs = (
  isUsable: (value: string) => boolean,
  options: Described<Readonly<Record<string, string>>>,
): Setting<Readonly<Record<string, string>>> => {
  const kind = 'NAME=VALUE, several separated by commas, or a JSON object of strings'
  const check = ([name, value]: readonly [string, unknown]): [string, string] =>
    token.test(name) && typeof value === 'string' && isUsable(value) ? [name, value] : refuse(kind)
  const split = (item: string): [string, unknown] => {
    const at = item.indexOf('=')
    return [item.slice(0, at).trim(), decode(item.slice(at + 1).trim())]
  }
  return {
    ...options,
    kind,
    read(value) {
      if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(check))
      if (typeof value !== 'string') return refuse(kind)
      const items = value.split(',').filter((item) => item.trim() !== '')
      return Object.fromEntries(items.map((item) => check(split(item))))
    },
  }
}

const decode = (value: string): string | null => {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

const tracesPath = '/v1/traces'

/** With the path that OTLP has for traces. */
const collectorUrl = (options: Described<null>): Setting<string | null> => {
  const { kind, read } = httpUrl(options)
  return {
    ...options,
    kind,
    read(value) {
      const url = read(value)
      return url === null || url.endsWith(tracesPath) ? url : `${url}${tracesPath}`
    },
  }
}

/** See docs/operate/traces.md. */
export const tracesSettings = {
  tracesEndpoint: collectorUrl({
    default: null,
    defaultText: '`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`; otherwise there are no traces',
    text: 'OpenTelemetry collector that traces are sent to by OTLP/HTTP, for example `http://127.0.0.1:4318`. `/v1/traces` is added to it.',
  }),
  tracesHeaders: pairs(isHeaderValue, {
    default: {},
    defaultText: '`OTEL_EXPORTER_OTLP_TRACES_HEADERS` or `OTEL_EXPORTER_OTLP_HEADERS`',
    secret: true,
    text: 'Headers for the collector, for example `authorization=Bearer%20abc`.',
  }),
  tracesSampleRatio: ratio({
    default: 0.05,
    text: 'Which part of the traces is kept. Those of requests that failed or were slow are always kept.',
  }),
  tracesSlowMs: integer({
    default: 30_000,
    min: 0,
    max: 86_400_000,
    text: 'From this duration on a request counts as slow; 0: none does.',
  }),
  tracesTrustCallers: flag({
    default: true,
    text: 'A request with a `traceparent` header belongs to the trace of its caller, and is kept if the caller keeps it. With 0, each request begins a trace, which refers to that of its caller.',
  }),
  tracesContent: flag({
    default: false,
    text: 'Traces contain the text of prompts and answers, cut at 32,768 characters each. Whoever can read the traces can read them.',
  }),
  tracesServiceName: text({
    default: 'helix',
    defaultText: '`OTEL_SERVICE_NAME`, or `helix`',
    text: 'Name of the service in traces (`service.name`).',
  }),
  tracesResource: pairs(() => true, {
    default: {},
    defaultText: '`OTEL_RESOURCE_ATTRIBUTES`',
    text: 'Further attributes of this server in traces, for example `deployment.environment.name=production`.',
  }),
} satisfies Record<string, Setting<unknown>>

type Variables = Readonly<Record<string, string | undefined>>

/** The variables of OpenTelemetry that a setting follows if it has no value of its own, the first one that is set. */
const standardVariables: Partial<Record<string, readonly string[]>> = {
  tracesEndpoint: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  tracesHeaders: ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'],
  tracesServiceName: ['OTEL_SERVICE_NAME'],
  tracesResource: ['OTEL_RESOURCE_ATTRIBUTES'],
}

/** Null if none is set, or if they turn traces off or ask for gRPC, which is not spoken here. */
export const findStandard = (name: string, variables: Variables): { value: string; where: string } | null => {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter = 'otlp' } = variables
  const { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL = OTEL_EXPORTER_OTLP_PROTOCOL } = variables
  if (disabled?.toLowerCase() === 'true' || !exporter.split(',').includes('otlp')) return null
  if (OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === 'grpc') return null
  for (const variable of standardVariables[name] ?? []) {
    const value = variables[variable]
    if (value !== undefined && value !== '') return { value, where: variable }
  }
  return null
}
