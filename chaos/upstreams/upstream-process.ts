/**
 * `node chaos/upstreams/upstream-process.ts PORT SEED KIND`: one of the upstreams. It gives the answer that a question asks
 * for, one word in each event, and continues one that a message of the assistant began. Some of its answers break off, end
 * without a word, contain garbage or wrong counts. The process that started it kills and pauses it.
 */
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { createRandom } from '../ledger/random.ts'
import { answerText, promptTokensOf, readQuestion, wordsOf } from './question.ts'

type Asked = {
  messages: { role: string; content: string }[]
  max_tokens?: number
  max_completion_tokens?: number
  stream?: boolean
}

const [port = '0', seed = '1', kind = 'vllm'] = process.argv.slice(2)
const random = createRandom(Number(seed))
const faults = { none: 70, cut: 6, end: 5, error: 5, garbage: 4, status: 4, busy: 1, lies: 3, noUsage: 2 }
type Fault = keyof typeof faults

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const piece = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] })

/** The words that are still missing; null if the prompt contains something else than the beginning of the answer. */
const missingWords = ({ messages }: Asked): { all: string[]; paceMs: number } | null => {
  const question = readQuestion(messages[0]?.content ?? '')
  const answer = answerText(question)
  const sent = messages[1]?.content ?? ''
  if (!answer.startsWith(sent)) return null
  const isInstructed = messages.length > 2
  if (isInstructed === (kind === 'vllm') && messages.length > 1) return null
  // A model that is asked in words to continue often says its last words again.
  const repeated = isInstructed && random.chance(0.5) ? wordsOf(sent).slice(-8).join('') : ''
  const all = wordsOf((repeated.length >= 16 ? repeated : '') + answer.slice(sent.length))
  return { all, paceMs: question.paceMs }
}

const usageOf = (asked: Asked, words: number, fault: Fault) => {
  if (fault === 'noUsage') return null
  const completion_tokens = fault === 'lies' ? 10 ** 9 : words
  const prompt_tokens = fault === 'lies' ? 0 : promptTokensOf(asked.messages.map(({ content }) => content))
  return { prompt_tokens, completion_tokens }
}

const speak = async (response: ServerResponse, asked: Asked, all: readonly string[], paceMs: number, fault: Fault) => {
  const said = all.slice(0, asked.max_tokens ?? asked.max_completion_tokens ?? all.length)
  const finish_reason = said.length < all.length ? 'length' : 'stop'
  const usage = usageOf(asked, said.length, fault)
  if (asked.stream !== true) {
    await after(paceMs * said.length)
    if (fault === 'cut' || fault === 'end') return response.destroy()
    if (fault === 'garbage') return response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[{')
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ choices: [{ message: { content: said.join('') }, finish_reason }], usage }))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  const breaksAt = ['cut', 'end', 'error', 'garbage'].includes(fault) ? random.integer(0, said.length) : null
  for (const [index, word] of said.entries()) {
    await after(paceMs)
    if (response.destroyed) return
    if (index === breaksAt) return breakOff(response, fault, word)
    response.write(piece(word))
  }
  if (breaksAt !== null) return breakOff(response, fault, '')
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason }] }))
  if (usage !== null) response.write(event({ choices: [], usage }))
  response.end('data: [DONE]\n\n')
}

const breakOff = (response: ServerResponse, fault: Fault, word: string): unknown => {
  const next = piece(word)
  if (fault === 'end') return response.end(next.slice(0, random.integer(0, next.length - 3)))
  if (fault === 'error') return response.end(event({ error: { message: 'out of memory', code: 500 } }))
  if (fault === 'garbage') return response.end('data: {"choices":[{"index":0,"delta":{"content":"\n\ndata: <html>\n\n')
  return response.write(next.slice(0, random.integer(0, next.length - 3)), () => response.destroy())
}

const server = createServer(async (request, response) => {
  response.on('error', () => {})
  if (request.method === 'GET') return response.writeHead(200).end('{"object":"list","data":[{"id":"words"}]}')
  const asked: Asked = JSON.parse(await text(request))
  const missing = missingWords(asked)
  if (missing === null) return response.writeHead(500).end('{"error":{"message":"this is not the beginning"}}')
  const fault = random.pick(faults)
  if (fault === 'status') return response.writeHead(random.chance(0.5) ? 500 : 503).end('{}')
  if (fault === 'busy') return response.writeHead(429, { 'retry-after': '1' }).end('{}')
  await speak(response, asked, missing.all, missing.paceMs, fault)
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : address)
})
// It must not outlive the run.
process.on('disconnect', () => process.exit(0))
