import { type Agent, request } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { CallEntry } from './journal.ts'
import { type Question, questionText } from './question.ts'

type Ending = Omit<Extract<CallEntry, { event: 'ended' }>, 'event' | 'call'>
type AnswerJson = {
  choices?: { delta?: { content?: string }; message?: { content: string }; finish_reason?: string | null }[]
  usage?: { completion_tokens: number } | null
  error?: { code: string | null }
}

/** Far longer than any time-out of the server. */
const defaultSilenceMs = 60_000

type Call = {
  url: string
  apiKey: string
  question: Question
  stream: boolean
  maxTokens: number | null
  /** Leaves after this many events. */
  leaveAfter: number | null
  idempotencyKey?: string
  /** Gives up after this long without data. */
  silenceMs?: number
  agent: Agent
}

/** `hasEnded`: the response came to its end, even if its stream did not. */
type Answered = Ending & { hasEnded: boolean }

/** Sends one question and reads what comes, to the end. */
export const ask = (call: Call): Promise<Answered> =>
  new Promise((resolve) => {
    const ending: Answered = {
      ...{ how: 'broken', requestId: null, status: null, code: null, hasEnded: false },
      ...{ text: '', finishReason: null, completionTokens: null, malformed: 0, isReplayed: false },
    }
    let events = 0
    const understand = ({ choices = [], usage, error }: AnswerJson): void => {
      if (error !== undefined) Object.assign(ending, { how: 'failed', code: error.code })
      const [choice] = choices
      const content = choice?.delta?.content ?? choice?.message?.content ?? ''
      if (ending.finishReason !== null && content !== '') ending.malformed += 1
      ending.text += content
      ending.finishReason = choice?.finish_reason ?? ending.finishReason
      ending.completionTokens = usage?.completion_tokens ?? ending.completionTokens
    }
    const parser = createParser({
      onEvent({ data }) {
        if (ending.how !== 'broken') ending.malformed += 1
        const answer = data === '[DONE]' ? null : readAnswer(data)
        if (data === '[DONE]') ending.how = ending.how === 'failed' ? 'failed' : 'complete'
        else if (answer === null) ending.malformed += 1
        else understand(answer)
      },
      onError: () => {
        ending.malformed += 1
      },
    })
    const outgoing = request(`${call.url}/v1/chat/completions`, {
      method: 'POST',
      agent: call.agent,
      headers: {
        authorization: `Bearer ${call.apiKey}`,
        'content-type': 'application/json',
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
    })
    const leave = (how: 'left' | 'silent'): void => {
      ending.how = how
      outgoing.destroy()
    }
    outgoing.setTimeout(call.silenceMs ?? defaultSilenceMs, () => leave('silent'))
    outgoing.on('error', () => {})
    outgoing.on('close', () => resolve(ending))
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      const isReplayed = headers['idempotent-replayed'] === 'true'
      Object.assign(ending, { status, requestId: String(headers['x-request-id']), isReplayed })
      const isStream = status === 200 && call.stream
      const decoder = new TextDecoder()
      let document = ''
      response.on('error', () => {})
      response.on('data', (bytes: Buffer) => {
        const part = decoder.decode(bytes, { stream: true })
        if (!isStream) document += part
        else parser.feed(part)
        events += 1
        if (call.leaveAfter !== null && events >= call.leaveAfter && ending.how === 'broken') leave('left')
      })
      response.on('end', () => {
        ending.hasEnded = response.complete
        if (isStream || !response.complete) return
        const answer = readAnswer(document)
        // A refusal may have nothing to say.
        if (answer === null) ending.malformed += status === 200 ? 1 : 0
        else understand(answer)
        ending.how = status === 200 ? 'complete' : 'refused'
      })
    })
    const limits = call.maxTokens === null ? {} : { max_tokens: call.maxTokens }
    const options = call.stream ? { stream: true, stream_options: { include_usage: true } } : {}
    const messages = [{ role: 'user', content: questionText(call.question) }]
    outgoing.end(JSON.stringify({ model: 'words', messages, ...limits, ...options }))
  })

/** Null if it is not JSON. */
const readAnswer = (text: string): AnswerJson | null => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
