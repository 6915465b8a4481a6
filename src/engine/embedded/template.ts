import { errorMessage } from '../../base/caught-error.ts'
import { ModelRefused } from '../model-refused.ts'
import { parseTemplate, runTemplate, type TemplateProgram } from './bounded-interpreter.ts'

/** Template variables: `messages`, `tools` and more, in the shapes that templates expect. */
export type TemplateVariables = Readonly<Record<string, unknown>>
export type ChatTemplate = (variables: TemplateVariables) => string
type TemplateTokens = { bosToken: string; eosToken: string }

/** The template rejected these messages or cannot process them. */
export class TemplateRefused extends Error {
  override readonly name = 'TemplateRefused'
}

/**
 * The chat template from the weights, ready to render. The renderer provides `raise_exception` and `strftime_now`;
 * tools and documents default to none, as templates expect.
 */
export const createChatTemplate = (source: string, { bosToken, eosToken }: TemplateTokens): ChatTemplate => {
  const template = parse(source)
  return (variables) => {
    try {
      return runTemplate(template, {
        tools: null,
        documents: null,
        ...variables,
        bos_token: bosToken,
        eos_token: eosToken,
      })
    } catch (error) {
      throw new TemplateRefused(errorMessage(error))
    }
  }
}

const parse = (source: string): TemplateProgram => {
  try {
    return parseTemplate(source)
  } catch (error) {
    const reason = errorMessage(error)
    throw new ModelRefused(`The chat template of the model cannot be read (${reason}): choose another model.`)
  }
}
