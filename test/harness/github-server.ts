import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Address = { email: string; primary: boolean; verified: boolean }

/** The part of GitHub that a sign-in uses, including its quirk: token endpoint errors have status 200. */
export const openGithub = async () => {
  const state = {
    user: { id: 583231, login: 'octo', name: null as string | null },
    emails: [{ email: 'octo@example.com', primary: true, verified: true }] as Address[],
  }
  const grants = new Map<string, string>()
  const tokens = new Set<string>()
  let origin = ''

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(await text(request))
    const challenge = grants.get(body.get('code') ?? '')
    grants.delete(body.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== verifier || body.get('client_secret') !== 'github secret')
      return send(response, { error: 'bad_verification_code' })
    const token = `gho_${randomBytes(12).toString('hex')}`
    tokens.add(token)
    send(response, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/login/oauth/authorize') {
      const code = randomBytes(10).toString('hex')
      grants.set(code, url.searchParams.get('code_challenge') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/login/oauth/access_token') return exchange(request, response)
    const isKnown = tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (!isKnown || request.headers['user-agent'] === undefined) return void response.writeHead(401).end('{}')
    if (url.pathname === '/api/user') return send(response, state.user)
    if (url.pathname === '/api/user/emails') return send(response, state.emails)
    response.writeHead(404).end('{}')
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    state,
    settings: {
      githubUrl: origin,
      githubApiUrl: `${origin}/api`,
      githubClientId: 'github id',
      githubClientSecret: 'github secret',
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const send = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
