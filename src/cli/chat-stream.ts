import { createParser } from 'eventsource-parser'
import { OperatorError } from '../base/operator-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { errorMessage } from './control-access.ts'
import { type Endpoint, readText, send } from './http-client.ts'

export type ChatTurn = { role: 'system' | 'user' | 'assistant'; content: string }

type ChatOptions = {
  endpoint: Endpoint
  key: string
  turns: readonly ChatTurn[]
  /** Ends the answer early; the text received so far becomes the answer. */
  signal: AbortSignal
  onText(text: string): void
}

/** Sends the request and forwards the answer as it arrives. Resolves to the full answer. */
export const streamChat = async (options: ChatOptions): Promise<string> => {
  const pieces: string[] = []
  try {
    for await (const text of parseOutput(options)) {
      pieces.push(text)
      options.onText(text)
    }
  } catch (error) {
    if (!options.signal.aborted) throw error instanceof OperatorError ? error : unreachable(options.endpoint, error)
  }
  return pieces.join('')
}

async function* parseOutput({ endpoint, key, turns, signal }: ChatOptions): AsyncGenerator<string> {
  const model = await firstChatModel(endpoint, key)
  const body = { model, messages: turns, stream: true }
  const response = await send(endpoint, { method: 'POST', path: '/v1/chat/completions', key, body, signal })
  if (response.statusCode !== 200) throw new OperatorError(errorMessage(parse(await readText(response))))
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  response.setEncoding('utf8')
  for await (const piece of response) {
    parser.feed(piece)
    for (const data of events.splice(0)) {
      if (data === '[DONE]') return
      const chunk = parse(data)
      if ('error' in chunk) throw new OperatorError(errorMessage(chunk))
      const text: unknown = chunk.choices?.[0]?.delta?.content
      if (typeof text === 'string') yield text
    }
  }
  throw new OperatorError('The response was interrupted: the server closed the connection.')
}

const firstChatModel = async (endpoint: Endpoint, key: string): Promise<string> => {
  const response = await send(endpoint, { method: 'GET', path: '/v1/models', key })
  const answer = parse(await readText(response))
  if (response.statusCode !== 200) throw new OperatorError(errorMessage(answer))
  // Other services do not say what kind a model is.
  const chatModel = answer.data?.find(({ kind = 'chat' }) => kind === 'chat')
  if (chatModel === undefined) throw new OperatorError('The server has no chat model that this key may use.')
  return String(chatModel.id)
}

type ParsedAnswer = { data?: { id?: unknown; kind?: unknown }[]; choices?: { delta?: { content?: unknown } }[] }

/** Assumes only an object: any field may be missing. */
const parse = (text: string): ParsedAnswer => {
  try {
    const value = parseJsonText(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new OperatorError(
    'The server returned a response that is not JSON. Check that the URL points to a chat-completions API.',
  )
}

const unreachable = (endpoint: Endpoint, error: unknown): OperatorError => {
  const reason = error instanceof Error && 'code' in error ? error.code : String(error)
  return new OperatorError(`Cannot reach ${'baseUrl' in endpoint ? endpoint.baseUrl : 'the server'}: ${reason}`)
}
