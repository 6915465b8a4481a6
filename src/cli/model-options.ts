import { requireModelName } from '../models/edit-model-list.ts'
import { type OptionValue, readListOption, readWhole, UsageError } from './command.ts'

export const modelOptions = {
  name: { type: 'string', placeholder: 'NAME', text: 'Name of the model (default: that of its file or folder).' },
  alias: { type: 'string', placeholder: 'LIST', text: 'Other names for it, separated by commas.' },
  context: {
    type: 'string',
    placeholder: 'TOKENS',
    text: "Context length (default: the model's own, at most 8192 for a GGUF file).",
  },
} as const

type ModelOptions = { name: string | null; aliases: string[]; contextTokens: number | null }

export const readModelOptions = (options: Readonly<Record<string, OptionValue>>): ModelOptions => {
  const { name, context } = options
  const contextTokens = typeof context === 'string' ? (readWhole(context) ?? 0) : null
  if (contextTokens !== null && !(contextTokens >= 256 && contextTokens <= 1_048_576))
    throw new UsageError(`--context must be an integer from 256 to 1048576, not '${context}'`)
  return {
    name: typeof name === 'string' ? requireModelName(name) : null,
    aliases: (readListOption(options.alias) ?? []).map(requireModelName),
    contextTokens,
  }
}
