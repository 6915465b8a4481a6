import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Config } from '../../src/config/settings.ts'
import { createScriptedEngine, type Script, type ScriptedEngineOptions } from '../../src/engine/scripted.ts'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import { hideKeys } from '../../src/keys/hide-keys.ts'
import { serve } from '../../src/serve.ts'
import { tempDir } from './temp-dir.ts'

export const modelName = 'helix-v1'

type HelixOptions = {
  /** What the engine says; "Hello, world!" in four tokens unless told. */
  answer?: Script
  engine?: Omit<ScriptedEngineOptions, 'answer'>
  config?: Partial<Config>
  clock?: Clock
}

/** The real server on a free port, with a real store, in front of an engine that says what the test tells it to. */
export const startHelix = async (options: HelixOptions = {}) => {
  const { answer = () => ['Hello', ', ', 'world', '!'], clock = systemClock } = options
  const dataDir = await tempDir()
  const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
  const config: Config = { ...defaults, port: 0, dataDir, ...options.config }
  const engine = createScriptedEngine({
    ...options.engine,
    model: { id: modelName, ...options.engine?.model },
    answer,
  })
  const logLines: string[] = []
  const log = createLog({ clock, format: 'json', write: (line) => logLines.push(line), hideSecrets: hideKeys })
  const server = await serve({ config, clock, log, startEngine: () => engine })
  onTestFinished(() => server.close())
  const control = (method: string, path: string, body?: unknown) => callSocket(dataDir, method, path, body)
  const { key } = (await control('POST', '/control/keys', { name: 'test' })) as { key: string }
  const authorized = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    server,
    engine,
    url: server.url,
    baseUrl: `${server.url}/v1`,
    dataDir,
    key,
    logLines,
    control,
    get: (path: string) => fetch(server.url + path, { headers: authorized }),
    /** POST /v1/chat/completions, with the model filled in. */
    chat: (body: Record<string, unknown>, init: RequestInit = {}) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: authorized,
        body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
        ...init,
      }),
    /** The body as it is, for what is not even JSON. */
    post: (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers: { ...authorized, ...headers }, body }),
  }
}

const callSocket = (dataDir: string, method: string, path: string, body?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: controlSocketPath(dataDir), method, path })
    outgoing.on('response', (response) => resolve(json(response)))
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
