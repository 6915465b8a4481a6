import { version } from '../../src/base/version.ts'
import { type ClientRequest, readText, send } from '../../src/cli/http-client.ts'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import { buildSite } from '../build-site.ts'
import { dataDirOf, type Server, startServer } from '../ledger/server.ts'
import type { GatewayKind } from './gateway.ts'

type UsageJson = { data: { key_id: string; requests: number; prompt_tokens: number; completion_tokens: number }[] }
type LimitsJson = { limit_use: { scope: string; name: string; used: number }[] }

const timeoutMs = 3_000

/** This repository's own program, with one data directory. Its accounts are read through its control socket. */
export const helixGateway: GatewayKind = {
  name: 'Helix',
  version,
  notes: [
    'Run from this repository, with SQLite, one process.',
    `An upstream may be silent for ${timeoutMs / 1000} seconds (default: 5 minutes). No limits apply except those of the keys. Everything else has its default.`,
    'A budget is the limit `tokensPerDay` of a key, a rate its `requestsPerMinute`.',
  ],
  needsOwnNetwork: false,
  async start({ folder, upstreams }) {
    await buildSite()
    const settings = {
      HELIX_UPSTREAMS: JSON.stringify(
        upstreams.map((url, index) => ({
          ...{ name: `upstream-${index + 1}`, kind: 'openai', url: `${url}/v1` },
          models: [{ name: 'words', default: index === 0 }],
          ...{ firstByteTimeoutMs: timeoutMs, silenceTimeoutMs: timeoutMs },
        })),
      ),
    }
    const endpoint = { socketPath: controlSocketPath(dataDirOf(folder)) }
    const request = async <Json>(asked: ClientRequest): Promise<Json> => {
      const response = await send(endpoint, asked)
      const text = await readText(response)
      // A limit that was not set would look like one that does not hold.
      if (response.statusCode !== 200 && response.statusCode !== 201)
        throw new Error(`${asked.method} ${asked.path}: ${response.statusCode} ${text}`)
      return JSON.parse(text)
    }
    const get = <Json>(path: string): Promise<Json> => request({ method: 'GET', path })
    const post = <Json>(path: string, body: unknown): Promise<Json> => request({ method: 'POST', path, body })
    let server: Server = startServer({ folder, settings, fault: null })
    let url = await server.listening
    return {
      url: () => url,
      async createKey({ tokens, requestsPerMinute }) {
        const { id, key } = await post<{ id: string; key: string }>('/control/keys', { name: 'fault report' })
        await post(`/control/limits/${id}`, {
          ...(tokens === 0 ? {} : { tokensPerDay: tokens }),
          ...(requestsPerMinute === 0 ? {} : { requestsPerMinute }),
        })
        return { id, secret: key }
      },
      async account({ id }) {
        const { data } = await get<UsageJson>('/control/usage?by=key')
        const usage = data.find((row) => row.key_id === id)
        const { limit_use } = await get<LimitsJson>(`/control/limits/${id}`)
        const charged = limit_use.find(({ scope, name }) => scope === 'key' && name === 'tokens_per_day')
        const [promptTokens, completionTokens] = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0]
        return {
          ...{ requests: usage?.requests ?? 0, promptTokens, completionTokens },
          chargedTokens: charged?.used ?? promptTokens + completionTokens,
        }
      },
      kill: () => server.kill(),
      async restart() {
        server = startServer({ folder, settings, fault: null })
        url = await server.listening
      },
      close: () => server.kill(),
    }
  },
}
