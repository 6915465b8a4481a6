import { createParser } from 'eventsource-parser'
import type { CallEnd, ClientEntry, Journal } from './journal.ts'
import { readTokens } from './question.ts'

/** The fields we read from an answer, whole or in chunks. */
type AnswerJson = {
  id?: string
  choices?: { index: number; delta?: { content?: string | null }; message?: { content: string | null } }[]
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    prompt_tokens_details: { cached_tokens: number }
  } | null
  error?: { code: string | null }
}

/** Reads one answer and records it in the journal. */
export const createAnswerReader = (call: string, stream: boolean, journal: Journal<ClientEntry>) => {
  let end: CallEnd | null = null
  let completionId: string | null = null
  let code: string | null = null
  let receivedEventId: string | null = null
  let tokens = 0
  const document: Buffer[] = []

  const understand = ({ id, choices = [], usage, error }: AnswerJson): void => {
    if (error !== undefined) code = error.code
    completionId = id ?? completionId
    for (const { index, delta, message } of choices)
      for (const token of readTokens(delta?.content ?? message?.content ?? '')) {
        tokens += 1
        journal.write({ event: 'token', call, choice: index, ...token })
      }
    if (usage)
      journal.write({
        event: 'usage',
        call,
        promptTokens: usage.prompt_tokens,
        cachedTokens: usage.prompt_tokens_details.cached_tokens,
        completionTokens: usage.completion_tokens,
      })
  }
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent({ id, data }) {
      receivedEventId = id ?? receivedEventId
      if (data === '[DONE]') {
        end = 'complete'
        return
      }
      understand(JSON.parse(data))
      if (code !== null) end = 'failed'
    },
  })
  return {
    receive(status: number, bytes: Buffer): void {
      if (status === 200 && stream) parser.feed(decoder.decode(bytes, { stream: true }))
      else document.push(bytes)
    },
    receiveEnd(status: number, isWhole: boolean): void {
      if ((status === 200 && stream) || !isWhole) return
      understand(JSON.parse(Buffer.concat(document).toString()))
      end = status === 200 ? 'complete' : 'refused'
    },
    /** Null if the stream just stopped. */
    howItEnded: () => end,
    received: () => ({ completionId, receivedEventId, code }),
    tokens: () => tokens,
  }
}
