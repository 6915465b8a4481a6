import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { endsWithFile } from './ends-with-file.ts'

type Asked = { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }
export type Upstream = {
  /** Ends in `/v1`. */
  baseUrl: string
  /** The requests it received, in order. */
  asked: Asked[]
}

/** A real HTTP server in place of an OpenAI-style engine: the test sets every byte of its answers. */
export const startUpstream = async (
  answer: (response: ServerResponse, asked: Asked) => unknown,
): Promise<Upstream & { close(): Promise<void> }> => {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const one: Asked = {
      url: request.url ?? '',
      headers: request.headers,
      body: JSON.parse((await text(request)) || '{}'),
    }
    asked.push(one)
    await answer(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  endsWithFile(close)
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close }
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
export const pieceEvent = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] })
export const finishEvent = (reason = 'stop'): string =>
  event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
export const usageEvent = (prompt: number, completion: number): string =>
  event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })
export const doneEvent = 'data: [DONE]\n\n'

/** One chunk with this delta. */
export const deltaEvent = (delta: object, more: object = {}): string =>
  event({ choices: [{ index: 0, delta, ...more }] })

/** Sends these bytes as a stream of events, each in a write of its own. */
export const stream = async (response: ServerResponse, ...writes: (string | Uint8Array)[]): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const bytes of writes) await new Promise((written) => response.write(bytes, written))
  response.end()
}

/** A complete answer as one JSON document. */
export const sayJson = (
  response: ServerResponse,
  message: object,
  more: object = {},
  usage: unknown = defaultUsage,
): void => {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'theirs', object: 'chat.completion', choices, usage }))
}
const defaultUsage = { prompt_tokens: 7, completion_tokens: 3 }

/** A complete, well-formed answer. */
export const say = (response: ServerResponse, ...pieces: string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end([...pieces.map(pieceEvent), finishEvent(), usageEvent(7, pieces.length), doneEvent].join(''))
}
