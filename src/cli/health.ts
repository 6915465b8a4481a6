import { OperatorError } from '../base/operator-error.ts'
import { servesTls } from '../config/check-config.ts'
import type { Config } from '../config/settings.ts'
import { type Command, readWhole, UsageError } from './command.ts'
import { NoAnswer, readText, send } from './http-client.ts'

const defaultTimeoutMs = 3000

/** For containers and supervisors: images need neither `curl` nor `wget`. */
export const health: Command = {
  name: 'health',
  summary: 'Ask the server of this machine whether it is ready (exit code 0) or not (1).',
  options: {
    'timeout-ms': {
      type: 'string',
      placeholder: 'MS',
      text: `How long to wait for the answer. Default: ${defaultTimeoutMs}.`,
    },
    live: {
      type: 'boolean',
      text: 'Ask only whether the process responds (/healthz), not whether it is ready (/readyz).',
    },
  },
  note: 'Connects to the configured port, with TLS if it is configured. The certificate is not verified: nothing secret is sent.',
  async run({ config, options, terminal }) {
    if (config.port === 0) throw new UsageError("'helix health' requires --port, if the server chooses its port itself")
    const timeoutMs = readTimeout(options['timeout-ms'])
    const { ok, text } = await ask(config, options.live === true ? '/healthz' : '/readyz', timeoutMs)
    terminal.out(`${text}\n`)
    return ok ? 0 : 1
  },
}

const readTimeout = (value: unknown): number => {
  if (value === undefined) return defaultTimeoutMs
  const timeoutMs = readWhole(String(value)) ?? 0
  if (timeoutMs < 1) throw new UsageError('--timeout-ms must be a whole number of milliseconds, 1 or more')
  return timeoutMs
}

const ask = async (config: Config, path: string, timeoutMs: number): Promise<{ ok: boolean; text: string }> => {
  const baseUrl = `${servesTls(config) ? 'https' : 'http'}://${reachableHost(config.host)}:${config.port}`
  try {
    const response = await send({ baseUrl, verifiesCertificate: false }, { method: 'GET', path, timeoutMs })
    return { ok: response.statusCode === 200, text: await readText(response) }
  } catch (error) {
    if (error instanceof NoAnswer) throw new OperatorError(`${baseUrl}${path} did not answer within ${timeoutMs} ms`)
    throw new OperatorError(`${baseUrl}${path} cannot be reached: ${error instanceof Error ? error.message : error}`)
  }
}

/** A server that listens on all addresses is asked on the loopback one. */
const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
