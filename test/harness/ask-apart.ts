import { request as ask, type IncomingHttpHeaders } from 'node:http'
import { request as askSecurely } from 'node:https'
import { text } from 'node:stream/consumers'

type Server = { url: string }
type Answered = { status: number; text: string; headers: IncomingHttpHeaders }

/** A request on a connection of its own, so that of many each worker gets some. HTTPS with any certificate. */
export const postApart = (
  { url }: Server,
  key: string,
  path: string,
  body: object,
  more: Record<string, string> = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const options = {
      ...{ method: 'POST', agent: false, rejectUnauthorized: false },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
    }
    const asked = (url.startsWith('https:') ? askSecurely : ask)(url + path, options)
    asked.on('error', reject)
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((answer) => resolve({ status, text: answer, headers }), reject)
    })
    asked.end(JSON.stringify(body))
  })

/** The same for a chat completion. */
export const askApart = (server: Server, key: string, body: object = {}): Promise<Answered> =>
  postApart(server, key, '/v1/chat/completions', {
    model: 'big',
    messages: [{ role: 'user', content: 'Hi' }],
    ...body,
  })
