import { createParser } from 'eventsource-parser'
import { OperatorError } from '../base/operator-error.ts'
import { type Endpoint, readText, send } from './http-client.ts'
import { errorMessage } from './key-access.ts'

export type ChatTurn = { role: 'system' | 'user' | 'assistant'; content: string }

type ChatOptions = {
  endpoint: Endpoint
  key: string
  turns: readonly ChatTurn[]
  /** Ends the answer early; what came until then counts as the answer. */
  signal: AbortSignal
  onText(text: string): void
}

/** Asks the service and hands on the answer as it arrives. Resolves to the whole of it. */
export const streamChat = async ({ endpoint, key, turns, signal, onText }: ChatOptions): Promise<string> => {
  const model = await firstModel(endpoint, key)
  let answer = ''
  let failure: string | null = null
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return
      const chunk = JSON.parse(data)
      if ('error' in chunk) failure = errorMessage(chunk)
      const text: unknown = chunk.choices?.[0]?.delta?.content
      if (typeof text !== 'string') return
      answer += text
      onText(text)
    },
  })
  try {
    const body = { model, messages: turns, stream: true }
    const response = await send(endpoint, { method: 'POST', path: '/v1/chat/completions', key, body, signal })
    if (response.statusCode !== 200) throw new OperatorError(errorMessage(JSON.parse(await readText(response))))
    response.setEncoding('utf8')
    for await (const piece of response) parser.feed(piece)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (failure !== null) throw new OperatorError(failure)
  return answer
}

const firstModel = async (endpoint: Endpoint, key: string): Promise<string> => {
  const response = await send(endpoint, { method: 'GET', path: '/v1/models', key })
  const answer = JSON.parse(await readText(response))
  if (response.statusCode !== 200) throw new OperatorError(errorMessage(answer))
  return String(answer.data?.[0]?.id)
}
