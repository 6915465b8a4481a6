import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { type GenerationRequest, messagesIn } from '../request/generation-request.ts'
import type { HookText } from './hook.ts'
import { nativeTexts } from './native-texts.ts'

/** Everything that people and tools wrote: texts, reasoning, arguments of calls, raw prompts, last what only some upstreams are sent. Token ids are not read. */
export const promptTexts = ({ prompt }: Pick<GenerationRequest, 'prompt'>): HookText[] => {
  const texts: HookText[] = []
  if (prompt.type === 'raw')
    for (const one of prompt.prompts) if (typeof one === 'string') texts.push({ role: 'user', text: one })
  for (const message of messagesIn(prompt))
    mapMessage(message, (text, isJson = false) => {
      texts.push({ role: message.role, text, ...(isJson ? { isJson } : {}) })
      return text
    })
  const native = prompt.type === 'chat' ? prompt.native : undefined
  return native?.api === 'responses' ? [...texts, ...nativeTexts(native)] : texts
}

/**
 * The same request with other texts, in the same order. It is not stored, since what is stored is the body that was sent. What only some
 * upstreams are sent is left out.
 */
export const withPromptTexts = <Request extends GenerationRequest>(
  request: Request,
  texts: readonly string[],
): Request => {
  const { prompt, bodyCopy } = request
  const left = texts.values()
  const next = (text: string): string => left.next().value ?? text
  if (prompt.type === 'raw') {
    const prompts = prompt.prompts.map((one) => (typeof one === 'string' ? next(one) : one))
    return {
      ...request,
      store: false,
      prompt: { ...prompt, prompts },
      bodyCopy: bodyCopy && copyOf({ prompt: prompts }),
    }
  }
  const { written: _, native, ...rest } = prompt
  // Without them the answer would be another one than was asked for.
  if (native?.api === 'responses' && native.builtInTools.length > 0)
    throw ApiError.of('built_in_tools_changed_prompt', { tools: native.builtInTools.join(', ') }, { param: 'tools' })
  const messages = prompt.messages.map((message) => mapMessage(message, next))
  const shown = messages.map(({ role, content }) => ({ role, content }))
  return { ...request, store: false, prompt: { ...rest, messages }, bodyCopy: bodyCopy && copyOf({ messages: shown }) }
}

/** For the request log, in place of the body that was sent. */
const copyOf = (body: object): GenerationRequest['bodyCopy'] => cutText(JSON.stringify(body))

const mapMessage = (message: ChatMessage, map: (text: string, isJson?: boolean) => string): ChatMessage => {
  const { content, parts, reasoning, toolCalls } = message
  const mapped = parts?.map((part) => (part.type === 'text' ? { ...part, text: map(part.text) } : part))
  const texts = mapped?.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return {
    ...message,
    content: texts === undefined ? map(content) : texts.join('\n'),
    ...(mapped === undefined ? {} : { parts: mapped }),
    ...(reasoning === undefined ? {} : { reasoning: map(reasoning) }),
    ...(toolCalls === undefined
      ? {}
      : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: map(call.arguments, true) })) }),
  }
}
