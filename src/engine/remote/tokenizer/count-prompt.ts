import type { Conversation } from '../../contract.ts'
import { joinPieces, renderGuarded } from '../../embedded/guarded-rendering.ts'
import { TemplateRefused } from '../../embedded/template.ts'
import { toolDefinitions } from '../../tool-definitions.ts'
import type { LoadedTokenizer } from './loaded-tokenizer.ts'

/** What most templates add around a message: its beginning, its role, its end and a line break. */
const messageTokens = 5
/** The beginning of the answer. */
const openingTokens = 3

/**
 * The tokens of a prompt without its images and audio. With a chat template those of the rendered text. Without one, or if
 * the template refuses the conversation, those of all texts, with a fixed number for each message; definitions of tools count as
 * JSON.
 */
export const countPrompt = (tokenizer: LoadedTokenizer, conversation: Conversation): number => {
  const { count, template } = tokenizer
  const { rawPrompt, withoutBos } = conversation
  if (typeof rawPrompt === 'string') return tokenizer.countPrompt(rawPrompt, { bos: withoutBos !== true })
  if (rawPrompt !== undefined) return rawPrompt.length
  if (template !== null) {
    try {
      return tokenizer.countPrompt(joinPieces(renderGuarded(template, conversation, () => [])), { bos: true })
    } catch (error) {
      if (!(error instanceof TemplateRefused)) throw error
    }
  }
  let tokens = conversation.opening === 'answer' ? openingTokens : 0
  for (const { content, name, reasoning, toolCalls = [] } of conversation.messages) {
    tokens += messageTokens + count(content) + count(name ?? '') + count(reasoning ?? '')
    for (const call of toolCalls) tokens += messageTokens + count(call.name) + count(call.arguments)
  }
  return conversation.tools.length === 0 ? tokens : tokens + count(toolDefinitions(conversation.tools))
}
