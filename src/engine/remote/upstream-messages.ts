import { createHash } from 'node:crypto'
import type { ChatMessage, ContentPart, WrittenPrompt } from '../contract.ts'
import type { UpstreamDialect } from './upstream-kinds.ts'

/** How an upstream wants the messages of a chat. */
export type MessageOptions = Pick<
  UpstreamDialect,
  'sendsReasoning' | 'sendsNames' | 'namesResults' | 'audioPart' | 'hasShortCallIds' | 'callSignature'
>

export const messagesJson = (messages: readonly ChatMessage[], options: MessageOptions): string =>
  JSON.stringify(messages.map((message) => messageJson(message, options)))

export const messageJson = (
  { role, content, parts, name, reasoning, toolCalls, toolCallId }: ChatMessage,
  { sendsReasoning, sendsNames, audioPart, hasShortCallIds, callSignature }: MessageOptions,
) => ({
  role,
  content:
    parts?.map((part) => partJson(part, audioPart)) ?? (content === '' && toolCalls !== undefined ? null : content),
  name: sendsNames ? name : undefined,
  reasoning_content: sendsReasoning ? reasoning : undefined,
  tool_calls: toolCalls?.map((call, index) => ({
    id: hasShortCallIds ? shortId(call.id) : call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    extra_content: index === 0 ? signedBy(callSignature) : undefined,
  })),
  tool_call_id: toolCallId === undefined || !hasShortCallIds ? toolCallId : shortId(toolCallId),
})

/** With the names of the functions whose results they are. */
export const nameResults = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const names = new Map<string, string>()
  return messages.map((message) => {
    for (const { id, name } of message.toolCalls ?? []) names.set(id, name)
    const name = message.role === 'tool' ? names.get(message.toolCallId ?? '') : undefined
    return name === undefined ? message : { ...message, name }
  })
}

/** Whether an upstream may be sent it as it was written. */
export const isWrittenFor = (
  { hasCalls, hasNames, hasMedia }: WrittenPrompt,
  { hasShortCallIds, callSignature, sendsNames, namesResults, audioPart }: MessageOptions,
): boolean =>
  !(hasCalls && (hasShortCallIds || namesResults || callSignature !== null)) &&
  (sendsNames || !hasNames) &&
  (audioPart === 'input_audio' || !hasMedia)

const signedBy = (signature: string | null) =>
  signature === null ? undefined : { google: { thought_signature: signature } }

const partJson = (part: ContentPart, audioPart: MessageOptions['audioPart']) => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: part.detail } }
    case 'audio':
      return audioPart === 'input_audio'
        ? { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
        : { type: 'audio_url', audio_url: { url: `data:${audioTypes[part.format]};base64,${part.data}` } }
  }
}

const audioTypes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const

const shortLength = 9

/** The same for the same id, so that a call and its result still belong together. */
const shortId = (id: string): string => {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, shortLength)
}
