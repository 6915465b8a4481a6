import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises'
import type { Journal, UpstreamEntry } from './journal.ts'
import { type Question, readQuestion, tokenText } from './question.ts'

/**
 * An OpenAI-style engine that emits numbered tokens, one per event, and records how many it sent. It outlives every
 * server that calls it; the upstream key identifies the calling life of the server.
 */
export const startUpstream = async (journal: Journal<UpstreamEntry>) => {
  let runs = 0
  const server = createServer(async (request, response) => {
    // A server that has nothing to do looks whether its upstream is there.
    if (request.method === 'GET') return response.writeHead(200).end('{"object":"list","data":[{"id":"numbered"}]}')
    const { messages } = JSON.parse(await text(request))
    const question = readQuestion(messages.at(-1).content)
    runs += 1
    const run = runs
    const life = Number(request.headers.authorization?.replace('Bearer life-', ''))
    journal.write({ event: 'asked', run, life, question: question.id })
    const spoken = await speak(response, run, question)
    journal.write({ event: 'over', run, ...spoken })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${portOf(server.address())}/v1`,
    keyOf: (life: number): string => `life-${life}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sound because it listens on a port, not on a socket file. */
const portOf = (address: AddressInfo | string | null): number => (address as AddressInfo).port

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

const speak = async (response: ServerResponse, run: number, question: Question) => {
  const { tokens, paceMs, tokenBytes, promptTokens, cachedTokens, breaksAfter } = question
  response.on('error', () => {})
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  let spoken = 0
  while (spoken < (breaksAfter ?? tokens)) {
    await (paceMs === 0 ? nextTurn() : after(paceMs))
    if (response.destroyed) return { tokens: spoken, finished: false }
    spoken += 1
    const content = tokenText(run, spoken, tokenBytes)
    const isTaken = response.write(event({ choices: [{ index: 0, delta: { content } }] }))
    if (!isTaken) await Promise.race([once(response, 'drain'), once(response, 'close')]).catch(() => {})
  }
  if (breaksAfter !== null) {
    response.destroy()
    return { tokens: spoken, finished: false }
  }
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  const usage = { prompt_tokens: promptTokens, completion_tokens: tokens }
  response.write(event({ choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: cachedTokens } } }))
  response.end('data: [DONE]\n\n')
  return { tokens: spoken, finished: !response.destroyed }
}
