import { request as ask } from 'node:http'
import { request as askSecurely } from 'node:https'
import { text } from 'node:stream/consumers'

/** A chat request on a connection of its own, so that of many each worker gets some. HTTPS with any certificate. */
export const askApart = (
  { url }: { url: string },
  key: string,
  body: object = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const options = {
      ...{ method: 'POST', agent: false, rejectUnauthorized: false },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    }
    const asked = (url.startsWith('https:') ? askSecurely : ask)(`${url}/v1/chat/completions`, options)
    asked.on('error', reject)
    asked.on('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject)
    })
    asked.end(JSON.stringify({ model: 'big', messages: [{ role: 'user', content: 'Hi' }], ...body }))
  })
