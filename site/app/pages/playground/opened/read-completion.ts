import type { OpenedParts } from './opened-parts.ts'
import { join, otherFields, takeNumbers, takeStops } from './opened-settings.ts'
import type { RequestBody } from './request-dialect.ts'

const taken = [
  ...['prompt', 'temperature', 'top_p', 'max_tokens', 'presence_penalty', 'frequency_penalty', 'seed', 'stop'],
]

/** A body of `POST /v1/completions`, with its prompt as a message of the user; null if that is not one text. */
export const readCompletion = (body: RequestBody): OpenedParts | null => {
  const prompts: readonly unknown[] = Array.isArray(body.prompt) ? body.prompt : [body.prompt]
  const [text] = prompts
  if (prompts.length !== 1 || typeof text !== 'string') return null
  const { settings, leftOut } = join([
    takeNumbers(body, { max_completion_tokens: 'max_tokens' }),
    takeStops(body.stop, 'stop'),
  ])
  return {
    messages: [{ role: 'user', text, attachments: [] }],
    settings,
    leftOut: [...leftOut, ...otherFields(body, taken)],
  }
}
