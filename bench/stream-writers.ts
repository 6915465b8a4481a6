import type { IncomingMessage, ServerResponse } from 'node:http'
import { createChunks } from '../src/api/chat-completions/chunks.ts'
import { systemClock } from '../src/base/clock.ts'
import { openAiStyle } from '../src/http/api-style.ts'
import { unlimitedBodies } from '../src/http/body-budget.ts'
import { type EventStream, openEventStream } from '../src/http/event-stream.ts'

/** Ways to send the same stream of chunks, byte for byte: `response.write` alone, our writer, our writer and our JSON. */
export type StreamWriter = {
  /** Sends the chunk at that index; returns a promise if the reader is too slow. */
  send(index: number): Promise<void> | undefined
  end(): void
}
export type OpenWriter = (request: IncomingMessage, response: ServerResponse) => StreamWriter

export const chunksEach = 400
const head = {
  id: `chatcmpl-${'a'.repeat(24)}`,
  created: 1_762_992_000,
  model: 'helix-v1',
  fingerprint: 'fp_0123456789',
}
const chunks = createChunks(head, { includeUsage: false, obfuscate: false, logprobs: false })
const texts = Array.from({ length: chunksEach }, (_, index) => ` word${String(index).padStart(3, '0')}`)
const chunkOf = (text: string): string => chunks.content({ choice: 0 }, text, [])
const readyChunks = texts.map(chunkOf)
const readyEvents = readyChunks.map((chunk) => `data: ${chunk}\n\n`)

export const chunkBytes = Buffer.byteLength(readyEvents[0] ?? '')

/** The baseline: ignores backpressure, and would fill the memory with a slow reader. */
export const openBareWriter: OpenWriter = (_, response) => ({
  send(index) {
    if (!response.headersSent) response.writeHead(200, headers)
    response.write(readyEvents[index] ?? '')
    return undefined
  },
  end: () => response.end('data: [DONE]\n\n'),
})

export const openOurWriter: OpenWriter = (request, response) => {
  const stream = openStream(request, response)
  return { send: (index) => stream.send(readyChunks[index] ?? ''), end: stream.done }
}

export const openOurWriterWithJson: OpenWriter = (request, response) => {
  const stream = openStream(request, response)
  return { send: (index) => stream.send(chunkOf(texts[index] ?? '')), end: stream.done }
}

/** The same headers as our writer sends; the bench has no clock. */
const headers = {
  'openai-processing-ms': 0,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

const openStream = (request: IncomingMessage, response: ServerResponse): EventStream => {
  const { signal } = new AbortController()
  const exchange = {
    requestId: 'req_bench',
    request,
    response,
    params: {},
    startedMs: 0,
    elapsedMs: () => 0,
    signal,
    origin: { clientAddress: '127.0.0.1', secure: false, host: undefined, origin: '' },
    expectsContinue: false,
    bodies: unlimitedBodies(),
    releaseBody() {},
    style: openAiStyle,
    failMidway: null,
    ping: null,
  }
  return openEventStream(exchange, { clock: systemClock, heartbeatMs: 15_000, stallTimeoutMs: 60_000, signal })
}
