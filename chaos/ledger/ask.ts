import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createAnswerReader } from './answer-reader.ts'
import type { CallEnding, ClientEntry, Journal } from './journal.ts'
import { type Question, questionText } from './question.ts'

export type ApiKey = { id: string; secret: string }

/** One call to the server, with all its parameters. */
export type Call = {
  name: string
  url: string
  life: number
  apiKey: ApiKey
  question: Question
  idempotencyKey: string | null
  stream: boolean
  choices: number
  includeUsage: boolean
  lastEventId: string | null
  /** Pause after each read; 0 for a client that reads everything at once. */
  pauseMs: number
  leave: { afterTokens: number } | { afterMs: number } | null
}

export type CallOutcome = CallEnding & { requestId: string | null }

/** Far longer than any answer in the run. */
const silenceMs = 60_000

/** Sends the call and records every event until it ends. */
export const ask = (call: Call, agent: Agent, journal: Journal<ClientEntry>): Promise<CallOutcome> => {
  journal.write({ event: 'sent', ...sentCall(call) })
  const reader = createAnswerReader(call.name, call.stream, journal)
  let gaveUp: 'left' | 'silent' | null = null
  let requestId: string | null = null
  return new Promise((resolve) => {
    const outgoing = open(call, agent)
    const giveUp = (how: 'left' | 'silent'): void => {
      gaveUp ??= how
      outgoing.destroy()
    }
    const leaving =
      call.leave !== null && 'afterMs' in call.leave ? setTimeout(giveUp, call.leave.afterMs, 'left') : null
    const end = (): void => {
      if (leaving !== null) clearTimeout(leaving)
      const ending: CallEnding = { ...reader.received(), how: reader.howItEnded() ?? gaveUp ?? 'broken' }
      journal.write({ event: 'ended', call: call.name, ...ending })
      resolve({ ...ending, requestId })
    }
    outgoing.setTimeout(silenceMs, () => giveUp('silent'))
    outgoing.on('error', () => {})
    outgoing.on('close', end)
    outgoing.on('response', (response) => {
      requestId = String(response.headers['x-request-id'])
      const { statusCode: status = 0, headers } = response
      const replayed = headers['idempotent-replayed'] === 'true'
      journal.write({ event: 'answered', call: call.name, status, requestId, replayed })
      response.on('error', () => {})
      response.on('data', (bytes: Buffer) => {
        reader.receive(status, bytes)
        if (call.leave !== null && 'afterTokens' in call.leave && reader.tokens() >= call.leave.afterTokens)
          giveUp('left')
        else if (call.pauseMs > 0) pause(response, call.pauseMs)
      })
      response.on('end', () => reader.receiveEnd(status, response.complete))
    })
    outgoing.end(JSON.stringify(bodyOf(call)))
  })
}

const pause = (response: IncomingMessage, pauseMs: number): void => {
  response.pause()
  setTimeout(() => response.resume(), pauseMs)
}

const open = ({ url, apiKey, idempotencyKey, lastEventId }: Call, agent: Agent): ClientRequest =>
  request(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${apiKey.secret}`,
      'content-type': 'application/json',
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    },
  })

const bodyOf = ({ question, stream, choices, includeUsage }: Call) => ({
  model: 'numbered',
  messages: [{ role: 'user', content: questionText(question) }],
  n: choices,
  stream,
  ...(stream && includeUsage ? { stream_options: { include_usage: true } } : {}),
})

const sentCall = ({ name, apiKey, question, pauseMs, ...call }: Call) => ({
  call: name,
  life: call.life,
  question: question.id,
  keyId: apiKey.id,
  idempotencyKey: call.idempotencyKey,
  stream: call.stream,
  choices: call.choices,
  tokens: question.tokens,
  tokenBytes: question.tokenBytes,
  promptTokens: question.promptTokens,
  cachedTokens: question.cachedTokens,
  prompt: pauseMs === 0,
  lastEventId: call.lastEventId,
})
