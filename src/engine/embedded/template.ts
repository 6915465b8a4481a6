import { Template } from '@huggingface/jinja'
import type { ChatMessage } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'

export type ChatTemplate = (messages: readonly ChatMessage[]) => string
type TemplateTokens = { bosToken: string; eosToken: string }

/** The template said no to these messages, or does not understand them. */
export class TemplateRefused extends Error {
  override readonly name = 'TemplateRefused'
}

/**
 * The chat template that the weights carry, ready to render. `raise_exception` and `strftime_now` come with the renderer;
 * tools and documents are none, as templates know it from where they were written.
 */
export const createChatTemplate = (source: string, { bosToken, eosToken }: TemplateTokens): ChatTemplate => {
  const template = parse(source)
  return (messages) => {
    try {
      return template.render({
        messages,
        add_generation_prompt: true,
        bos_token: bosToken,
        eos_token: eosToken,
        tools: null,
        documents: null,
      })
    } catch (error) {
      throw new TemplateRefused(error instanceof Error ? error.message : String(error))
    }
  }
}

const parse = (source: string): Template => {
  try {
    return new Template(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ModelRefused(`The chat template of the model cannot be read (${reason}): choose another model.`)
  }
}
