import type { UsableModel } from '../../../../src/platform/contract/models.ts'

/** What the panel holds, as it was typed. An empty text is the default, which is not sent at all. */
export type PlaygroundSettings = {
  temperature: string
  top_p: string
  max_completion_tokens: string
  presence_penalty: string
  frequency_penalty: string
  seed: string
  /** One on each line. */
  stop: string
  /** A JSON array of function definitions. */
  tools: string
  toolChoice: ToolChoice
  /** How much the model reasons before it answers; an empty text is its default. */
  reasoningEffort: ReasoningEffort
  /** Whether each token comes with its probability, and perhaps with its id. */
  logprobs: Logprobs
  format: AnswerFormat
  /** A JSON Schema, while `format` asks for one. */
  schema: string
}

export const toolChoices = ['auto', 'required', 'none'] as const
type ToolChoice = (typeof toolChoices)[number]

export const reasoningEfforts = ['', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

export const logprobChoices = ['off', 'on', 'ids'] as const
type Logprobs = (typeof logprobChoices)[number]

export const answerFormats = ['text', 'schema'] as const
type AnswerFormat = (typeof answerFormats)[number]

export const defaultSettings: PlaygroundSettings = {
  temperature: '',
  top_p: '',
  max_completion_tokens: '',
  presence_penalty: '',
  frequency_penalty: '',
  seed: '',
  stop: '',
  tools: '',
  toolChoice: 'auto',
  reasoningEffort: '',
  logprobs: 'off',
  format: 'text',
  schema: '',
}

export type NumberName =
  | 'temperature'
  | 'top_p'
  | 'max_completion_tokens'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'seed'

type NumberRange = { min: number; max: number; whole: boolean }

/** The same ranges as the API's own. */
export const ranges: Record<NumberName, NumberRange> = {
  temperature: { min: 0, max: 2, whole: false },
  top_p: { min: 0, max: 1, whole: false },
  presence_penalty: { min: -2, max: 2, whole: false },
  frequency_penalty: { min: -2, max: 2, whole: false },
  max_completion_tokens: { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true },
  seed: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, whole: true },
}

export const numberNames: readonly NumberName[] = [
  'temperature',
  'top_p',
  'max_completion_tokens',
  'presence_penalty',
  'frequency_penalty',
  'seed',
]

/** The fields that can be wrong. */
export type FieldName = NumberName | 'stop' | 'tools' | 'schema'
export const fieldNames: readonly FieldName[] = [...numberNames, 'stop', 'tools', 'schema']

export type SliderName = 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty'

/** What a model is sampled with when nothing is sent; null if that is its upstream's own affair. */
export const samplingDefaults = ({ sampling }: Pick<UsableModel, 'sampling'>): Record<SliderName, number | null> => ({
  temperature: sampling?.temperature ?? null,
  top_p: sampling?.topP ?? null,
  // The same for every model.
  presence_penalty: 0,
  frequency_penalty: 0,
})

/** With a field at its default. Without a schema the answer is text. */
export const withoutField = (settings: PlaygroundSettings, name: FieldName): PlaygroundSettings => ({
  ...settings,
  [name]: '',
  ...(name === 'schema' ? { format: 'text' } : {}),
})
