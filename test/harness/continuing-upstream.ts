import type { ServerResponse } from 'node:http'
import { deltaEvent, doneEvent, finishEvent, pieceEvent, startUpstream, usageEvent } from './scripted-upstream.ts'

/** What goes wrong with one request; `bytes` counts those of the body that are sent before it happens. */
export type Fault =
  | { type: 'cut' | 'end' | 'silence'; bytes: number }
  | { type: 'error'; bytes: number }
  | { type: 'status'; status: number; headers?: Record<string, string> }
  | { type: 'refuse' }

type Message = { role: string; content: string | { type: string; text?: string }[] }
type Asked = {
  messages: Message[]
  max_tokens?: number
  continue_final_message?: boolean
  stream?: boolean
  logprobs?: boolean
}
/** What it says again of the text that was sent, if it is asked in words to continue. */
type Repeat = (sent: string) => string

export const words = (text: string): string[] => text.split(/(?<= )/)

/**
 * An upstream that always gives the same answer, one word in each event and one token for each word, and continues it where a
 * message of the assistant ends. Faults happen in order, one for each request; `null` is none.
 */
export const startContinuingUpstream = async (
  answer: string,
  faults: (Fault | null)[] = [],
  repeat: Repeat = () => '',
) => {
  const upstream = await startUpstream((response, { body }) => {
    // Probes have no body.
    if (body.messages === undefined) return void response.writeHead(200).end('{"data":[]}')
    const asked = body as Asked
    const fault = faults.shift() ?? null
    if (fault?.type === 'status') return void response.writeHead(fault.status, fault.headers).end('{}')
    if (fault?.type === 'refuse') return void response.destroy()
    if (asked.stream !== true) return document(response, asked, answer)
    send(response, bodyOf(asked, answer, repeat), fault)
  })
  const prompts = () => upstream.asked.map(({ body }) => body).filter((body) => body.messages !== undefined)
  return { ...upstream, prompts }
}

/** The part of the answer that is missing. */
const missing = ({ messages, continue_final_message }: Asked, answer: string, repeat: Repeat): string => {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const sent = textOf(messages[at]?.content ?? '')
  if (!answer.startsWith(sent)) throw new Error(`the answer does not begin with '${sent}'`)
  const isInstructed = at !== -1 && at < messages.length - 1
  if (sent !== '' && !isInstructed && continue_final_message !== true) throw new Error('it was not asked to continue')
  return (isInstructed ? repeat(sent) : '') + answer.slice(sent.length)
}

const bodyOf = (asked: Asked, answer: string, repeat: Repeat): string => {
  const all = words(missing(asked, answer, repeat)).filter((word) => word !== '')
  const max = asked.max_tokens ?? all.length
  const said = all.slice(0, max)
  return [
    ...said.map(asked.logprobs === true ? tokenEvent : pieceEvent),
    finishEvent(said.length < all.length ? 'length' : 'stop'),
    usageEvent(promptTokens(asked), said.length),
    doneEvent,
  ].join('')
}

const tokenEvent = (token: string): string =>
  deltaEvent({ content: token }, { logprobs: { content: [{ token, logprob: -1, top_logprobs: [] }] } })

const promptTokens = ({ messages }: Asked): number =>
  messages.reduce((sum, { content }) => sum + words(textOf(content)).length, 0)

const textOf = (content: Message['content']): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')

const document = (response: ServerResponse, asked: Asked, answer: string): void => {
  const usage = { prompt_tokens: promptTokens(asked), completion_tokens: words(answer).length }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ choices: [{ message: { content: answer }, finish_reason: 'stop' }], usage }))
}

const send = (response: ServerResponse, body: string, fault: Exclude<Fault, { type: 'status' | 'refuse' }> | null) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (fault === null) return void response.end(body)
  const bytes = Buffer.from(body).subarray(0, fault.bytes)
  if (fault.type === 'end') return void response.end(bytes)
  response.flushHeaders()
  response.write(bytes, () => {
    if (fault.type === 'cut') response.destroy()
    if (fault.type === 'error') response.end('\n\ndata: {"error":{"message":"out of memory","code":500}}\n\n')
  })
}
