import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the engine of `neighbours` says, over HTTP: a token every ten milliseconds, or as fast as it is read. */
const tokenMs = 10
const longToken = 'x'.repeat(1000)

const event = (choices: object[], more: object = {}): string => `data: ${JSON.stringify({ choices, ...more })}\n\n`
const piece = (content: string): string => event([{ index: 0, delta: { content } }])
const end = `${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}data: [DONE]\n\n`

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const sayUntilClosed = async (response: ServerResponse): Promise<void> => {
  for (let token = 0; !response.destroyed; token += 1) {
    response.write(piece(`${token} `))
    await pause(tokenMs)
  }
}

const flood = async (response: ServerResponse): Promise<void> => {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  for (let token = 0; token < 100_000 && !response.destroyed; token += 1)
    if (!response.write(piece(longToken))) await once(response, 'drain', { signal: closed.signal }).catch(() => {})
  response.end(end)
}

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => null)
  // A caller that leaves while its prompt is sent.
  if (body === null) return
  const { messages, stream } = JSON.parse(body || '{}')
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const asked = messages[0]?.content
  if (asked === 'steady') await sayUntilClosed(response)
  else if (asked === 'flood') await flood(response)
  else response.end(piece('ok') + end)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
