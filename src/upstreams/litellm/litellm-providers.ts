import type { UpstreamPresetName } from '../../config/upstream-presets.ts'

/** A provider of LiteLLM that an upstream can be. */
export type LitellmProvider = {
  /** Null: any server with OpenAI's API, at the address that is given. */
  preset: UpstreamPresetName | null
  /** Where LiteLLM finds the key if the file names none. */
  keyVariable?: string
  /** Its address is that of the server, with or without `/v1`. */
  addsVersion?: true
}

const compatible: LitellmProvider = { preset: null }

/** By the prefix of a model's name, or `custom_llm_provider`. */
const providers: ReadonlyMap<string, LitellmProvider> = new Map<string, LitellmProvider>([
  ['openai', { preset: 'openai', keyVariable: 'OPENAI_API_KEY' }],
  ['anthropic', { preset: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY', addsVersion: true }],
  ['azure', { preset: 'azure', keyVariable: 'AZURE_API_KEY' }],
  ['gemini', { preset: 'google', keyVariable: 'GEMINI_API_KEY' }],
  ['mistral', { preset: 'mistral', keyVariable: 'MISTRAL_API_KEY' }],
  ['deepseek', { preset: 'deepseek', keyVariable: 'DEEPSEEK_API_KEY' }],
  ['groq', { preset: 'groq', keyVariable: 'GROQ_API_KEY' }],
  ['openrouter', { preset: 'openrouter', keyVariable: 'OPENROUTER_API_KEY' }],
  ['together_ai', { preset: 'together', keyVariable: 'TOGETHERAI_API_KEY' }],
  ['fireworks_ai', { preset: 'fireworks', keyVariable: 'FIREWORKS_AI_API_KEY' }],
  ['xai', { preset: 'xai', keyVariable: 'XAI_API_KEY' }],
  ['cohere', { preset: 'cohere', keyVariable: 'COHERE_API_KEY' }],
  ['jina_ai', { preset: 'jina', keyVariable: 'JINA_AI_API_KEY' }],
  ['ollama', { preset: 'ollama', addsVersion: true }],
  ['ollama_chat', { preset: 'ollama', addsVersion: true }],
  ['lm_studio', { preset: 'lm-studio', addsVersion: true }],
  ['hosted_vllm', { preset: 'vllm', addsVersion: true }],
  ...[
    'custom_openai',
    'openai_like',
    'litellm_proxy',
    'llamafile',
    'xinference',
    'nvidia_nim',
    'cerebras',
    'sambanova',
  ].map((name): [string, LitellmProvider] => [name, compatible]),
])

export const findLitellmProvider = (name: string): LitellmProvider | null => providers.get(name) ?? null

/** Models that LiteLLM knows without a prefix. */
const openaiNames = /^(gpt-|chatgpt-|o\d|text-embedding-|ft:|davinci-|babbage-|codex-|computer-use-)/

type NamedModel = { provider: string; upstreamName: string }

/**
 * Whose model it is. Null if only LiteLLM's own list knows: another provider must not be sent the prompts and the key.
 */
export const providerOfModel = (model: string, custom: string | null, hasAddress: boolean): NamedModel | null => {
  const [prefix = '', ...rest] = model.split('/')
  if (custom !== null)
    return { provider: custom, upstreamName: prefix === custom && rest.length > 0 ? rest.join('/') : model }
  if (rest.length > 0) return { provider: prefix, upstreamName: rest.join('/') }
  if (model.startsWith('claude')) return { provider: 'anthropic', upstreamName: model }
  return hasAddress || openaiNames.test(model) ? { provider: 'openai', upstreamName: model } : null
}
