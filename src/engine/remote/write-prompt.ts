import { parseJsonText } from '../../base/parse-json-text.ts'
import type { ChatMessage, Conversation, ToolCall, WrittenPrompt } from '../contract.ts'
import { estimatePromptTokens, maxPromptTokens } from './estimate-prompt.ts'
import { promptDefinitions } from './prompt-definitions.ts'
import { promptPrefixes } from './prompt-prefixes.ts'
import { schemasJson } from './upstream-body.ts'
import { type MessageOptions, messagesJson } from './upstream-messages.ts'

/** Writes a prompt in which no message has reasoning: it is the same for every upstream. */
export const writePrompt = ({
  messages,
  tools,
  answer,
}: Pick<Conversation, 'messages' | 'tools' | 'answer'>): WrittenPrompt => {
  const definitions = promptDefinitions(tools, answer?.format ?? null)
  const schemas = schemasJson({ tools, answer })
  return {
    json: {
      messages: sharedText(messagesJson(messages, writtenFor)),
      tools: schemas.tools === undefined ? null : sharedText(schemas.tools),
      response_format: schemas.response_format === undefined ? null : sharedText(schemas.response_format),
    },
    tokens: {
      expected: estimatePromptTokens(messages, definitions),
      max: maxPromptTokens(messages, definitions),
    },
    characters: messages.reduce((sum, { content }) => sum + content.length, 0),
    prefixes: promptPrefixes({ messages, tools }),
    hasMedia: messages.some(({ parts }) => parts !== undefined),
    hasNames: messages.some(({ name }) => name !== undefined),
    hasCalls: messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls),
  }
}

const writtenFor: MessageOptions = {
  ...{ sendsReasoning: false, sendsNames: true, namesResults: false, audioPart: 'input_audio' },
  ...{ hasShortCallIds: false, callSignature: null },
}

/** Reads the messages of a written prompt back, without images and audio. */
export const readWrittenMessages = ({ json }: Pick<WrittenPrompt, 'json'>): ChatMessage[] => {
  const { buffer, byteOffset, byteLength } = json.messages
  return asWritten(parseJsonText(Buffer.from(buffer, byteOffset, byteLength).toString())).map(
    ({ content, tool_calls, tool_call_id, ...message }) => ({
      ...message,
      content: content ?? '',
      ...(tool_calls === undefined ? {} : { toolCalls: tool_calls.map(({ id, function: call }) => ({ id, ...call })) }),
      ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
    }),
  )
}

type WrittenMessage = Pick<ChatMessage, 'role' | 'name'> & {
  content: string | null
  tool_calls?: { id: string; function: Omit<ToolCall, 'id'> }[]
  tool_call_id?: string
}

/** Sound because `messagesJson` wrote them, without reasoning and parts. */
const asWritten = (messages: unknown): WrittenMessage[] => messages as WrittenMessage[]

/** Shared memory is passed on without a copy, and does not count towards the next garbage collection. */
export const sharedText = (text: string): Uint8Array => {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}
