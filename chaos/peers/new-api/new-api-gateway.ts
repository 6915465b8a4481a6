import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { freePort } from '../../../test/harness/free-port.ts'
import type { Gateway, GatewayKind, GatewayOptions } from '../../report/gateway.ts'

type Json = Record<string, unknown>
type Log = { prompt_tokens: number; completion_tokens: number }

const account = { username: 'root', password: 'fault-report' }
const startMs = 60_000

/**
 * new-api (github.com/QuantumNous/new-api), built by `install.sh`. One unit of its quota is one token here: the ratios of the
 * model and of its completions are 1, so that the quota of a key is a budget in tokens.
 */
export const newApiGateway: GatewayKind = {
  name: 'new-api',
  version: 'v0.13.2 (27 April 2026)',
  notes: [
    'Built from the Go module proxy by `chaos/peers/new-api/install.sh`, with an empty page in place of its web pages, which are not part of the module.',
    'SQLite, no Redis, batch updates off, quota held in advance: its defaults. `RetryTimes` is 2 (default: 0), with one channel for each of the two addresses of the upstream.',
    '`STREAMING_TIMEOUT` is 3 and `RELAY_TIMEOUT` 15 seconds (defaults: 300, none). The limits on requests to its own administration are off, because the harness reads accounts often, and so is the refusal of requests while the machine is busy.',
    'The ratios of the model and of its completions are 1, so that a unit of quota is a token. A budget is the quota of a key. A rate is its limit on model requests, 10 in one minute, which applies to a user instead of a key.',
    'With Redis its rates would be kept there. That was not measured.',
  ],
  needsOwnNetwork: true,
  async start(options) {
    if (options.program === null) throw new Error('new-api needs --program: see chaos/peers/new-api/install.sh')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    let child = await launch(options, port)
    const api = createApi(url)
    await api.send('POST', '/api/setup', { ...account, confirmPassword: account.password })
    await api.signIn()
    await configure(api, options)
    let keys = 0
    const gateway: Gateway = {
      url: () => url,
      async createKey({ tokens, requestsPerMinute }) {
        await api.setOption('ModelRequestRateLimitEnabled', String(requestsPerMinute > 0))
        if (requestsPerMinute > 0) await api.setOption('ModelRequestRateLimitCount', String(requestsPerMinute))
        keys += 1
        const name = `key-${keys}`
        const limits = { remain_quota: tokens, unlimited_quota: tokens === 0, expired_time: -1 }
        await api.send('POST', '/api/token/', { name, ...limits })
        const { items } = asPage<{ id: number; name: string }>(await api.send('GET', '/api/token/?p=1&page_size=100'))
        const id = items.find((item) => item.name === name)?.id
        const { key } = asJson(await api.send('POST', `/api/token/${id}/key`))
        return { id: String(id), secret: `sk-${key}` }
      },
      async account({ id }) {
        const { name, used_quota: chargedTokens } = asJson(await api.send('GET', `/api/token/${id}`))
        // 2: what was consumed.
        const path = `/api/log/?type=2&p=1&page_size=100&token_name=${name}`
        const { items } = asPage<Log>(await api.send('GET', path))
        return {
          requests: items.length,
          promptTokens: items.reduce((sum, log) => sum + log.prompt_tokens, 0),
          completionTokens: items.reduce((sum, log) => sum + log.completion_tokens, 0),
          chargedTokens: Number(chargedTokens),
        }
      },
      async kill() {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      },
      async restart() {
        child = await launch(options, port)
      },
      async close() {
        if (child.exitCode === null && child.signalCode === null) await gateway.kill()
      },
    }
    return gateway
  },
}

const launch = async ({ folder, program }: GatewayOptions, port: number) => {
  const log = openSync(join(folder, 'gateway.log'), 'a')
  const child = spawn(program ?? '', ['--log-dir', join(folder, 'logs')], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, PORT: String(port), SESSION_SECRET: 'only for this run' },
      ...{ STREAMING_TIMEOUT: '3', RELAY_TIMEOUT: '15' },
      ...{ GLOBAL_API_RATE_LIMIT_ENABLE: 'false', GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' },
      CRITICAL_RATE_LIMIT_ENABLE: 'false',
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const onExit = (): unknown => child.kill('SIGKILL')
  process.once('exit', onExit)
  child.once('exit', () => process.off('exit', onExit))
  const untilMs = performance.now() + startMs
  while (performance.now() < untilMs && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/api/status`).catch(() => null)
    if (response?.ok === true) return child
    await after(100)
  }
  throw new Error(`new-api did not start; its log is ${join(folder, 'gateway.log')}`)
}

type Api = ReturnType<typeof createApi>

/** Its administration, as its web pages use it. */
const createApi = (url: string) => {
  let cookie = ''
  const request = async (method: string, path: string, body?: Json): Promise<{ headers: Headers; data: unknown }> => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'new-api-user': '1', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { success, message, data } = asJson(await response.json())
    if (success !== true) throw new Error(`${method} ${path}: ${response.status} ${message}`)
    return { headers: response.headers, data }
  }
  const send = async (method: string, path: string, body?: Json): Promise<unknown> =>
    (await request(method, path, body)).data
  return {
    send,
    async signIn(): Promise<void> {
      const { headers } = await request('POST', '/api/user/login', account)
      cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    },
    setOption: (key: string, value: string) => send('PUT', '/api/option/', { key, value }),
  }
}

const configure = async (api: Api, { upstreams }: GatewayOptions): Promise<void> => {
  await api.setOption('ModelRatio', '{"words":1}')
  await api.setOption('CompletionRatio', '{"words":1}')
  await api.setOption('RetryTimes', '2')
  await api.setOption('ModelRequestRateLimitDurationMinutes', '1')
  // It would refuse requests because of other programs on the machine.
  await api.setOption('performance_setting.monitor_enabled', 'false')
  for (const [index, base_url] of upstreams.entries()) {
    // 1: an OpenAI-style upstream.
    const channel = { type: 1, name: `upstream-${index + 1}`, key: 'none', base_url, models: 'words', group: 'default' }
    await api.send('POST', '/api/channel/', { mode: 'single', channel })
  }
}

/** Sound because a field that is not there only makes the run fail. */
const asJson = (value: unknown): Json => value as Json
const asPage = <Item>(value: unknown): { items: Item[] } => value as { items: Item[] }
