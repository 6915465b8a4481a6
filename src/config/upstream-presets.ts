/**
 * The providers and servers that an operator can name instead of describing them: one row each. `upstreams[].preset`, `helix
 * upstreams add --preset`, the platform's API, the console's form and docs/upstreams.md come from these rows.
 */
import type { UpstreamCapability, UpstreamField, UpstreamKind, UpstreamModelKind } from './upstream-names.ts'

export type UpstreamPreset = {
  /** The name of the provider or server, in every language. */
  title: string
  /** Null: every customer has another one, which looks like `urlExample`. */
  url: string | null
  urlExample?: string
  /** How requests are written and the key is sent, see `src/engine/remote/upstream-kinds.ts`. */
  kind: UpstreamKind
  /** The optional request fields that it accepts, if they are not those of the kind. */
  features?: readonly UpstreamField[]
  /** What its models accept besides text, if most do, and whether it has the Responses API in every version that is in use. */
  capabilities?: readonly UpstreamCapability[]
  /** Which kinds of models it has. */
  serves: readonly UpstreamModelKind[]
  needsKey: boolean
  /** Where its interface is described. */
  documentation: string
  /** When the fields of the row were compared with that description; absent: never. */
  compared?: string
  /** What was really run against it; null: nothing. */
  tested: string | null
}

const chat: readonly UpstreamModelKind[] = ['chat']
const chatAndEmbedding: readonly UpstreamModelKind[] = ['chat', 'embedding']
const all: readonly UpstreamModelKind[] = ['chat', 'embedding', 'rerank']
const penalties = ['frequency_penalty', 'presence_penalty'] as const
const hosted = { needsKey: true, tested: null } as const
const own = { needsKey: false, tested: null } as const

const presets = {
  openai: {
    ...{ title: 'OpenAI', url: 'https://api.openai.com/v1', kind: 'openai', capabilities: ['vision', 'responses'] },
    ...{ serves: chatAndEmbedding, ...hosted, documentation: 'https://platform.openai.com/docs/api-reference' },
    compared: '2026-11-18',
  },
  anthropic: {
    ...{ title: 'Anthropic', url: 'https://api.anthropic.com/v1', kind: 'anthropic', capabilities: ['vision'] },
    ...{
      serves: chat,
      ...hosted,
      documentation: 'https://platform.claude.com/docs/en/api/messages',
      compared: '2026-11-19',
    },
  },
  azure: {
    ...{ title: 'Azure OpenAI', url: null, urlExample: 'https://RESOURCE.openai.azure.com/openai/v1', kind: 'azure' },
    ...{ capabilities: ['vision', 'responses'], serves: chatAndEmbedding, ...hosted },
    documentation: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
    compared: '2026-11-18',
  },
  google: {
    ...{ title: 'Google', url: 'https://generativelanguage.googleapis.com/v1beta/openai', kind: 'google' },
    ...{ capabilities: ['vision'], serves: chatAndEmbedding, ...hosted },
    documentation: 'https://ai.google.dev/gemini-api/docs/openai',
    compared: '2026-11-18',
  },
  mistral: {
    ...{ title: 'Mistral', url: 'https://api.mistral.ai/v1', kind: 'mistral' },
    ...{ serves: chatAndEmbedding, ...hosted, documentation: 'https://docs.mistral.ai/api', compared: '2026-11-19' },
  },
  deepseek: {
    ...{ title: 'DeepSeek', url: 'https://api.deepseek.com/v1', kind: 'compatible' },
    features: ['tools', 'response_format', 'logprobs', 'reasoning_effort', 'stop', ...penalties],
    ...{ serves: chat, ...hosted, documentation: 'https://api-docs.deepseek.com', compared: '2026-11-18' },
  },
  groq: {
    ...{ title: 'Groq', url: 'https://api.groq.com/openai/v1', kind: 'groq' },
    ...{ serves: chat, ...hosted, documentation: 'https://console.groq.com/docs/openai', compared: '2026-11-18' },
  },
  openrouter: {
    ...{ title: 'OpenRouter', url: 'https://openrouter.ai/api/v1', kind: 'compatible' },
    ...{ serves: all, ...hosted, documentation: 'https://openrouter.ai/docs/api-reference/overview' },
    compared: '2026-11-19',
  },
  together: {
    ...{ title: 'Together', url: 'https://api.together.ai/v1', kind: 'compatible' },
    features: [
      ...(['tools', 'response_format', 'logit_bias', 'reasoning_effort', 'seed', 'stop', ...penalties] as const),
      ...(['top_k', 'min_p', 'repetition_penalty'] as const),
    ],
    ...{ serves: all, ...hosted, documentation: 'https://docs.together.ai/reference', compared: '2026-11-19' },
  },
  fireworks: {
    ...{ title: 'Fireworks', url: 'https://api.fireworks.ai/inference/v1', kind: 'fireworks' },
    ...{ serves: all, ...hosted, documentation: 'https://docs.fireworks.ai/api-reference', compared: '2026-11-19' },
  },
  xai: {
    ...{ title: 'xAI', url: 'https://api.x.ai/v1', kind: 'openai' },
    // Its models that reason, which are all present ones, refuse `stop` and penalties.
    features: ['tools', 'response_format', 'logprobs', 'reasoning_effort', 'seed'],
    ...{ serves: chat, ...hosted, documentation: 'https://docs.x.ai/docs/api-reference', compared: '2026-11-18' },
  },
  cohere: {
    ...{ title: 'Cohere (rerank)', url: 'https://api.cohere.com/v2', kind: 'compatible' },
    ...{ serves: ['rerank'], ...hosted, documentation: 'https://docs.cohere.com/v2/reference/rerank' },
    compared: '2026-11-19',
  },
  jina: {
    ...{ title: 'Jina', url: 'https://api.jina.ai/v1', kind: 'compatible' },
    ...{
      serves: ['embedding', 'rerank'],
      ...hosted,
      documentation: 'https://api.jina.ai/redoc',
      compared: '2026-11-18',
    },
  },
  ollama: {
    ...{ title: 'Ollama', url: 'http://localhost:11434/v1', kind: 'compatible' },
    features: ['tools', 'response_format', 'logprobs', 'reasoning_effort', 'seed', 'stop', ...penalties],
    ...{
      serves: chatAndEmbedding,
      ...own,
      documentation: 'https://docs.ollama.com/api/openai-compatibility',
      compared: '2026-11-18',
    },
  },
  'lm-studio': {
    ...{ title: 'LM Studio', url: 'http://localhost:1234/v1', kind: 'lm-studio' },
    ...{ serves: chatAndEmbedding, ...own, documentation: 'https://lmstudio.ai/docs/developer/openai-compat' },
    compared: '2026-11-18',
  },
  'llama-server': {
    ...{ title: 'llama-server', url: 'http://localhost:8080/v1', kind: 'llama-server' },
    ...{ serves: all, needsKey: false, tested: 'chat completions, 2026-11-16' },
    documentation: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
  vllm: {
    ...{ title: 'vLLM', url: 'http://localhost:8000/v1', kind: 'vllm' },
    ...{ serves: all, needsKey: false, tested: 'chat completions, 2026-11-16' },
    documentation: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  },
  sglang: {
    ...{ title: 'SGLang', url: 'http://localhost:30000/v1', kind: 'sglang' },
    ...{ serves: chatAndEmbedding, ...own, documentation: 'https://docs.sglang.ai/basic_usage/openai_api.html' },
    compared: '2026-11-19',
  },
  helix: {
    ...{ title: 'Helix', url: null, urlExample: 'https://helix.example.com/v1', kind: 'helix' },
    ...{ capabilities: ['responses'], serves: all, needsKey: true },
    tested: 'chat completions, messages and responses, in the tests',
    documentation: 'docs/upstreams.md',
  },
} as const satisfies Record<string, UpstreamPreset>

export type UpstreamPresetName = keyof typeof presets
export const upstreamPresets: Readonly<Record<UpstreamPresetName, UpstreamPreset>> = presets

/** Sound because the rows are written above, and nothing else is added to them. */
const asNames = (keys: string[]): UpstreamPresetName[] => keys as UpstreamPresetName[]

export const upstreamPresetNames: readonly UpstreamPresetName[] = asNames(Object.keys(presets))

export const findPreset = (name: unknown): UpstreamPreset | null => {
  const known = upstreamPresetNames.find((one) => one === name)
  return known === undefined ? null : upstreamPresets[known]
}
