import { Agent, request } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import type { Journal } from '../ledger/journal.ts'
import type { Random } from '../ledger/random.ts'
import type { CallEntry } from './journal.ts'
import { type Question, questionText } from './question.ts'

type Ending = Extract<CallEntry, { event: 'ended' }>
type AnswerJson = {
  choices?: { delta?: { content?: string }; message?: { content: string }; finish_reason?: string | null }[]
  usage?: { completion_tokens: number } | null
  error?: { code: string | null }
}

type ClientOptions = {
  name: number
  url: string
  apiKey: string
  random: Random
  journal: Journal<CallEntry>
  isOver(): boolean
}

/** Far longer than any time-out of the server. */
const silenceMs = 60_000

/** Asks one question after another, as streams and as JSON; sometimes it leaves in the middle. */
export const runClient = async ({ name, url, apiKey, random, journal, isOver }: ClientOptions): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  for (let number = 1; !isOver(); number += 1) {
    const question = {
      id: `q${name * 10_000 + number}`,
      words: random.integer(5, 120),
      paceMs: random.integer(1, 8),
    }
    const stream = random.chance(0.75)
    const maxTokens = random.chance(0.15) ? random.integer(1, 60) : null
    const leaveAfter = stream && random.chance(0.08) ? random.integer(1, 20) : null
    const call = `${name}-${number}`
    journal.write({ event: 'sent', call, id: question.id, words: question.words, stream, maxTokens })
    journal.write({
      event: 'ended',
      call,
      ...(await ask({ url, apiKey, question, stream, maxTokens, leaveAfter, agent })),
    })
    await after(random.integer(0, 20))
  }
  agent.destroy()
}

type Call = {
  url: string
  apiKey: string
  question: Question
  stream: boolean
  maxTokens: number | null
  /** Leaves after this many events. */
  leaveAfter: number | null
  agent: Agent
}

const ask = (call: Call): Promise<Omit<Ending, 'event' | 'call'>> =>
  new Promise((resolve) => {
    const ending: Omit<Ending, 'event' | 'call'> = {
      ...{ how: 'broken', requestId: null, status: null, code: null },
      ...{ text: '', finishReason: null, completionTokens: null, malformed: 0 },
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
        if (data === '[DONE]') ending.how = 'complete'
        else understand(JSON.parse(data))
      },
      onError: () => {
        ending.malformed += 1
      },
    })
    const outgoing = request(`${call.url}/v1/chat/completions`, {
      method: 'POST',
      agent: call.agent,
      headers: { authorization: `Bearer ${call.apiKey}`, 'content-type': 'application/json' },
    })
    const leave = (how: 'left' | 'silent'): void => {
      ending.how = how
      outgoing.destroy()
    }
    outgoing.setTimeout(silenceMs, () => leave('silent'))
    outgoing.on('error', () => {})
    outgoing.on('close', () => resolve(ending))
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      Object.assign(ending, { status, requestId: String(headers['x-request-id']) })
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
        if (isStream || !response.complete) return
        understand(JSON.parse(document))
        ending.how = status === 200 ? 'complete' : 'refused'
      })
    })
    const limits = call.maxTokens === null ? {} : { max_tokens: call.maxTokens }
    const options = call.stream ? { stream: true, stream_options: { include_usage: true } } : {}
    const messages = [{ role: 'user', content: questionText(call.question) }]
    outgoing.end(JSON.stringify({ model: 'words', messages, ...limits, ...options }))
  })
