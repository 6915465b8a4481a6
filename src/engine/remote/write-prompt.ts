import type { Conversation, WrittenPrompt } from '../contract.ts'
import { estimatePromptTokens, maxPromptTokens } from './estimate-prompt.ts'
import { promptDefinitions } from './prompt-definitions.ts'
import { messagesJson, schemasJson } from './upstream-body.ts'

/** Writes a prompt in which no message has reasoning: it is the same for every upstream. */
export const writePrompt = ({
  messages,
  tools,
  answer,
}: Pick<Conversation, 'messages' | 'tools' | 'answer'>): WrittenPrompt => {
  const definitions = promptDefinitions(tools, answer?.format ?? null)
  const schemas = schemasJson({ tools, answer })
  return {
    messages,
    json: {
      messages: sharedBytes(messagesJson(messages, { sendsReasoning: false })),
      tools: schemas.tools === undefined ? null : sharedBytes(schemas.tools),
      response_format: schemas.response_format === undefined ? null : sharedBytes(schemas.response_format),
    },
    tokens: {
      expected: estimatePromptTokens(messages, definitions),
      max: maxPromptTokens(messages, definitions),
    },
  }
}

/** Shared memory is passed on without a copy, and does not count towards the next garbage collection. */
const sharedBytes = (text: string): Uint8Array => {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}
