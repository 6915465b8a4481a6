import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { freePort } from '../harness/free-port.ts'
import { findProxy, type ProxyName, startProxy } from '../harness/proxies.ts'
import { runProgram } from '../harness/run-program.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

const programs = { haproxy: await findProxy('haproxy'), nginx: await findProxy('nginx') }

const startBehind = async (name: ProxyName, upstreamUrl: string) => {
  const port = await freePort()
  const program = await startProgram({
    args: ['--port', String(port)],
    env: {
      ...{ HELIX_UPSTREAM_URL: upstreamUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' },
      ...{ HELIX_PUBLIC_URL: 'https://chat.example.com', HELIX_TRUSTED_PROXIES: 'loopback' },
    },
  })
  const tls = createSelfSigned({ now: Date.now() })
  const proxy = await startProxy(name, programs[name] ?? '', [port], { tls })
  const ask = async (path: string, headers: Record<string, string>, body?: unknown): Promise<IncomingMessage> => {
    const own = { host: 'chat.example.com', 'content-type': 'application/json', ...headers }
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request(new URL(path, proxy), { method, headers: own, ca: tls.certPem, servername: 'localhost' })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = await once(asked, 'response')
    return response
  }
  return { program, ask }
}

const createLocalKey = async (dataDir: string): Promise<string> => {
  const args = ['keys', 'create', '--name', 'local', '--cidr', '127.0.0.1', '--json', '--data-dir', dataDir]
  return JSON.parse((await runProgram(args)).stdout).key
}

for (const name of ['haproxy', 'nginx'] satisfies ProxyName[])
  test.skipIf(programs[name] === null)(`${name} as documented passes on streams, names and addresses`, async () => {
    let goOn = (): void => {}
    const upstream = await startUpstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(pieceEvent('first'))
      goOn = () => response.end([pieceEvent('last'), finishEvent(), doneEvent].join(''))
    })
    const { program, ask } = await startBehind(name, upstream.baseUrl)
    // Helix knows that the client uses TLS.
    const page = await ask('/', {})
    expect(page.headers['strict-transport-security']).toBeDefined()
    page.resume()
    // A client that claims another address keeps its own: the key may be used from this machine only.
    const headers = {
      authorization: `Bearer ${await createLocalKey(program.dataDir)}`,
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
    }
    const messages = [{ role: 'user', content: 'Hi' }]
    const answer = await ask('/v1/chat/completions', headers, { model: 'ours', stream: true, messages })
    expect(answer.statusCode).toBe(200)
    let seen = ''
    for await (const chunk of answer) {
      seen += chunk
      // Nothing is held back until the answer is complete.
      if (seen.includes('first')) goOn()
    }
    expect(seen).toContain('data: [DONE]')
    const misdirected = await ask('/v1/models', { ...headers, host: 'other.example.com' })
    expect([misdirected.statusCode, await text(misdirected)]).toEqual([
      421,
      expect.stringContaining('misdirected_request'),
    ])
  })
