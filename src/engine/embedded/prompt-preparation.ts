import { cpuMsSince } from '../../base/cpu-ms-since.ts'
import type { Conversation } from '../contract.ts'
import { renderGuarded } from './guarded-rendering.ts'
import type { Vocabulary } from './llama/vocabulary.ts'
import { lastPromptTokens, type PromptTokens, promptTokens } from './prompt-tokens.ts'
import { createChatTemplate, TemplateRefused } from './template.ts'
import { createTextFinder } from './text-finder.ts'

export type PreparedTokens =
  | { type: 'prepared'; tokens: Uint32Array<ArrayBuffer> }
  /**
   * The prompt leaves no room for an answer. `counted`: tokens counted so far, if counting stopped early. `cpuMs`: what it took
   * to refuse it.
   */
  | { type: 'too_long'; counted: number; complete: boolean; cpuMs: number }
  | { type: 'template_refused'; reason: string; cpuMs: number }

type PromptOptions = { vocabulary: Vocabulary; chatTemplate: string; contextTokens: number }

/** As templates name them. */
export const templateTokens = ({ bos, eosText }: Pick<Vocabulary, 'bos' | 'eosText'>) => ({
  bosToken: bos?.text ?? '',
  eosToken: eosText ?? '',
})

/** Renders conversations with the model's template and tokenises them. Throws `ModelRefused` for a broken template. */
export const createPromptPreparation = ({ vocabulary, chatTemplate, contextTokens }: PromptOptions) => {
  const render = createChatTemplate(chatTemplate, templateTokens(vocabulary))
  const findSpecial = createTextFinder(vocabulary.special.values())
  const tokenisePrompt = (conversation: Conversation): PromptTokens => {
    const { rawPrompt, maxPromptTokens = contextTokens } = conversation
    // More than the context would not fit, however many there are.
    const isCut = maxPromptTokens < contextTokens
    if (typeof rawPrompt === 'object')
      return { tokens: isCut ? rawPrompt.slice(-maxPromptTokens) : [...rawPrompt], complete: true }
    const pieces =
      rawPrompt === undefined ? renderGuarded(render, conversation, findSpecial) : [{ text: rawPrompt, plain: false }]
    const withoutBos = rawPrompt !== undefined && conversation.withoutBos
    const used = withoutBos ? { ...vocabulary, prependBos: false } : vocabulary
    return isCut ? lastPromptTokens(pieces, used, maxPromptTokens) : promptTokens(pieces, used, contextTokens)
  }
  return (conversation: Conversation): PreparedTokens => {
    const before = process.threadCpuUsage()
    try {
      const { tokens, complete } = tokenisePrompt(conversation)
      if (tokens.length === 0 && conversation.rawPrompt === undefined)
        throw new TemplateRefused('the rendered prompt is empty')
      if (!complete || tokens.length >= contextTokens)
        return { type: 'too_long', counted: tokens.length, complete, cpuMs: cpuMsSince(before) }
      return { type: 'prepared', tokens: Uint32Array.from(tokens) }
    } catch (error) {
      if (error instanceof TemplateRefused)
        return { type: 'template_refused', reason: error.message, cpuMs: cpuMsSince(before) }
      throw error
    }
  }
}
