import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { promptTokensOf } from '../upstreams/question.ts'
import type { RunRecord } from './evidence.ts'
import { answerTokens, countTokens, type Fault, readQuestion } from './question-text.ts'

type Asked = { messages: { content: string }[]; max_tokens?: number; max_completion_tokens?: number; stream?: boolean }

export type ScriptedUpstream = {
  /** Two addresses of the same upstream, so that a gateway has another one to ask. */
  readonly baseUrls: readonly [string, string]
  readonly runs: readonly RunRecord[]
  /** Resolves once it has sent this many tokens of each of these questions. */
  hasSent(questions: readonly string[], tokens: number): Promise<void>
  close(): Promise<void>
}

/** It keeps a connection open without a word for this long, which is longer than any gateway waits here. */
const hangMs = 60_000

/** An OpenAI-style upstream that does what a question says, one token in each event, and writes down what it sent. */
export const startScriptedUpstream = async (): Promise<ScriptedUpstream> => {
  const runs: RunRecord[] = []
  const asked = new Map<string, number>()
  const closing = new AbortController()
  let waiting: (() => void)[] = []
  const onSent = (): void => {
    for (const check of waiting) check()
  }
  const answer = async (body: Asked, response: ServerResponse): Promise<void> => {
    const question = readQuestion(body.messages[0]?.content ?? '')
    const times = asked.get(question.id) ?? 0
    asked.set(question.id, times + 1)
    const fault = times === 0 ? question.fault : 'none'
    if (fault === 'status') return void response.writeHead(503).end('{"error":{"message":"out of order"}}')
    if (fault === 'busy')
      return void response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"busy"}}')
    const promptTokens = promptTokensOf(body.messages.map(({ content }) => content))
    const run = { question: question.id, promptTokens, sentTokens: 0 }
    runs.push(run)
    if (fault === 'hang') return hang(closing.signal)
    // A gateway may ask for the rest of an answer that broke off: it then sends what it has as the second message.
    const all = answerTokens(question).slice(countTokens(question, body.messages[1]?.content ?? '') ?? 0)
    const tokens = all.slice(0, body.max_tokens ?? body.max_completion_tokens ?? all.length)
    const finish = tokens.length < all.length ? 'length' : 'stop'
    if (body.stream === true)
      await stream(response, { run, tokens, finish, fault, paceMs: question.paceMs, onSent, signal: closing.signal })
    else await sendDocument(response, { run, tokens, finish, fault, paceMs: question.paceMs })
  }
  const listen = async (): Promise<Server> => {
    const server = createServer(async (request, response) => {
      response.on('error', () => {})
      if (request.method === 'GET') return response.writeHead(200).end('{"object":"list","data":[{"id":"words"}]}')
      await answer(JSON.parse(await text(request)), response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const [first, second] = await Promise.all([listen(), listen()])
  return {
    baseUrls: [urlOf(first), urlOf(second)],
    runs,
    async hasSent(questions, tokens) {
      const sent = (question: string): number =>
        Math.max(0, ...runs.filter((run) => run.question === question).map((run) => run.sentTokens))
      const isSent = (): boolean => questions.every((question) => sent(question) >= tokens)
      if (isSent()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(() => {
        if (isSent()) resolve()
      })
      await promise
      waiting = []
    },
    async close() {
      closing.abort()
      for (const server of [first, second]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Sound because it listens on a port, not on a socket file. */
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const hang = async (signal: AbortSignal): Promise<void> => {
  await after(hangMs, undefined, { signal }).catch(() => {})
}

type Spoken = { run: RunRecord; tokens: readonly string[]; finish: string; fault: Fault; paceMs: number }

const event = (data: unknown): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'words', ...asObject(data) })}\n\n`
const asObject = (data: unknown): object => (typeof data === 'object' && data !== null ? data : {})

const usageOf = ({ run, tokens }: Spoken) => ({
  prompt_tokens: run.promptTokens,
  completion_tokens: tokens.length,
  total_tokens: run.promptTokens + tokens.length,
})

const stream = async (
  response: ServerResponse,
  spoken: Spoken & { onSent(): void; signal: AbortSignal },
): Promise<void> => {
  const { run, tokens, finish, fault, paceMs } = spoken
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  // A third of the answer has been sent when something goes wrong.
  const breaksAt = fault === 'none' ? null : Math.floor(tokens.length / 3)
  for (const [index, content] of tokens.entries()) {
    await after(paceMs)
    if (response.destroyed) return
    if (index === breaksAt) return breakOff(response, fault, spoken.signal)
    response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
    run.sentTokens += 1
    spoken.onSent()
  }
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }))
  response.write(event({ choices: [], usage: usageOf(spoken) }))
  response.end('data: [DONE]\n\n')
}

const breakOff = async (response: ServerResponse, fault: Fault, signal: AbortSignal): Promise<void> => {
  if (fault === 'stall') return hang(signal)
  if (fault === 'end') response.end()
  else if (fault === 'error') response.end('data: {"error":{"message":"out of memory","code":500}}\n\n')
  else if (fault === 'garbage') response.end('data: {"choices":[{"index":0,"delta":{"conte\n\ndata: <html>\n\n')
  else response.write('data: {"choices":[{"in', () => response.destroy())
}

const sendDocument = async (response: ServerResponse, spoken: Spoken): Promise<void> => {
  const { run, tokens, finish, fault, paceMs } = spoken
  await after(paceMs * tokens.length)
  if (fault === 'cut' || fault === 'end') return void response.destroy()
  if (fault === 'garbage') return void response.writeHead(200).end('{"choices":[{')
  run.sentTokens = tokens.length
  const message = { role: 'assistant', content: tokens.join('') }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'words', usage: usageOf(spoken) },
      choices: [{ index: 0, message, finish_reason: finish }],
    }),
  )
}
