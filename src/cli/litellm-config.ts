import { parseDocument } from 'yaml'
import { isRecord } from '../base/is-record.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { UpstreamPresetName } from '../config/upstream-presets.ts'

/** A model of LiteLLM's `model_list`, as an upstream has it. */
type ImportedModel = {
  name: string
  upstreamName: string
  kind?: 'embedding' | 'rerank'
  price?: { prompt: number; cached: number; completion: number }
}

export type ImportedUpstream = {
  name: string
  preset: UpstreamPresetName | null
  /** Null: that of the preset. */
  url: string | null
  /** The environment variable with its key, the key itself, or none. */
  key: { from: string } | { value: string } | null
  apiVersion: string | null
  maxInFlight: number | null
  models: ImportedModel[]
}

/** What could not be taken over, and why. */
type Omitted = { path: string; reason: string }

export type ImportedConfig = { upstreams: ImportedUpstream[]; omitted: Omitted[] }

/** LiteLLM's providers, by the prefix of a model's name. */
const presets: Readonly<Record<string, UpstreamPresetName>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  azure: 'azure',
  gemini: 'google',
  mistral: 'mistral',
  deepseek: 'deepseek',
  groq: 'groq',
  openrouter: 'openrouter',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  xai: 'xai',
  cohere: 'cohere',
  jina_ai: 'jina',
  ollama: 'ollama',
  ollama_chat: 'ollama',
  lm_studio: 'lm-studio',
  hosted_vllm: 'vllm',
}
/** The address is that of the server, with or without its `/v1`. */
const ownServers: readonly UpstreamPresetName[] = ['ollama', 'lm-studio', 'vllm']

const kinds: Readonly<Record<string, 'chat' | 'embedding' | 'rerank'>> = {
  chat: 'chat',
  completion: 'chat',
  responses: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
}
const takenParams = [
  ...['model', 'api_base', 'api_key', 'api_version', 'max_parallel_requests'],
  ...['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost'],
]
const maxModels = 500
const maxAliases = 100

/** Reads a `config.yaml`: models with the same provider, address and key become one upstream. */
export const readLitellmConfig = (text: string): ImportedConfig => {
  const document = readYaml(text)
  const { model_list: list, ...others } = document
  const omitted: Omitted[] = Object.keys(others).map((path) => ({ path, reason: 'it has no counterpart' }))
  if (!Array.isArray(list) || list.length > maxModels)
    throw new OperatorError(`The file has no model_list with at most ${maxModels} models.`)
  const upstreams = new Map<string, ImportedUpstream>()
  for (const [index, entry] of list.entries()) {
    const path = `model_list[${index}]`
    const omit = (name: string, reason: string): void => void omitted.push({ path: `${path}${name}`, reason })
    const refused = addModel(entry, upstreams, omit)
    if (refused !== null) omit(...refused)
  }
  return { upstreams: [...upstreams.values()], omitted }
}

const readYaml = (text: string): Record<string, unknown> => {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw new OperatorError(`The file is not valid YAML: ${error.message.split('\n')[0]}`)
  const value: unknown = document.toJS({ maxAliasCount: maxAliases })
  if (!isRecord(value)) throw new OperatorError('The file is not a mapping.')
  return value
}

type Omitting = (name: string, reason: string) => void

/** Returns why it cannot be taken over at all, and where; null if it was. */
const addModel = (
  entry: unknown,
  upstreams: Map<string, ImportedUpstream>,
  omit: Omitting,
): Parameters<Omitting> | null => {
  const params = isRecord(entry) ? entry.litellm_params : undefined
  const name = isRecord(entry) ? entry.model_name : undefined
  if (!isRecord(entry) || !isRecord(params) || typeof name !== 'string' || typeof params.model !== 'string')
    return ['', 'it has no model_name or litellm_params.model']
  const [prefix = '', ...rest] = params.model.split('/')
  const provider = rest.length === 0 ? 'openai' : prefix
  const upstreamName = rest.length === 0 ? prefix : rest.join('/')
  const preset = presets[provider]
  if (preset === undefined) return ['', `the provider ${provider} is not known here`]
  if (`${name}${upstreamName}`.includes('*')) return ['', 'names with * are not supported; name each model']
  const info = isRecord(entry.model_info) ? entry.model_info : {}
  const kind = kinds[typeof info.mode === 'string' ? info.mode : 'chat']
  if (kind === undefined) return ['', `models of the mode ${String(info.mode)} are not served`]
  const upstream = findUpstream(params, preset, upstreams)
  if (upstream === null) return ['.litellm_params.api_base', 'an address is necessary for this provider']
  if (upstream.models.some((model) => model.name === name)) return ['', `${upstream.name} has a model ${name} already`]
  for (const field of Object.keys(params))
    if (!takenParams.includes(field)) omit(`.litellm_params.${field}`, 'it has no counterpart')
  const price = readPrice(params)
  upstream.models.push({ name, upstreamName, ...(kind === 'chat' ? {} : { kind }), ...(price && { price }) })
  const { max_parallel_requests: most } = params
  if (typeof most === 'number' && Number.isInteger(most) && most > 0)
    upstream.maxInFlight = Math.max(upstream.maxInFlight ?? 0, most)
  return null
}

/** Null without an address. */
const findUpstream = (
  params: Record<string, unknown>,
  provider: UpstreamPresetName,
  upstreams: Map<string, ImportedUpstream>,
): ImportedUpstream | null => {
  const base = textOf(params.api_base)
  // LiteLLM calls every compatible server openai.
  const preset = provider === 'openai' && base !== null ? null : provider
  if (base === null && provider === 'azure') return null
  const url = base !== null && ownServers.includes(provider) ? withVersion(base) : base
  const key = readKey(params.api_key)
  const apiVersion = provider === 'azure' ? textOf(params.api_version) : null
  const identity = JSON.stringify([preset, url, key, apiVersion])
  const known = upstreams.get(identity)
  if (known !== undefined) return known
  const stem = preset ?? 'compatible'
  const names = [...upstreams.values()].map(({ name }) => name)
  let name: string = stem
  for (let number = 2; names.includes(name); number += 1) name = `${stem}-${number}`
  const upstream = { name, preset, url, key, apiVersion, maxInFlight: null, models: [] }
  upstreams.set(identity, upstream)
  return upstream
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const withVersion = (url: string): string => {
  const base = url.replace(/\/+$/, '')
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}

const fromEnvironment = 'os.environ/'

const readKey = (value: unknown): ImportedUpstream['key'] => {
  const text = textOf(value)
  if (text === null) return null
  return text.startsWith(fromEnvironment) ? { from: text.slice(fromEnvironment.length) } : { value: text }
}

const pricedTokens = 1_000_000

/** LiteLLM's prices are for one token, in dollars; ours for a million, with six decimal places. */
const readPrice = (params: Record<string, unknown>): ImportedModel['price'] => {
  const amount = (value: unknown): number | undefined =>
    typeof value === 'number' && value >= 0 ? Number((value * pricedTokens).toFixed(6)) : undefined
  const [prompt, completion] = [amount(params.input_cost_per_token), amount(params.output_cost_per_token)]
  if (prompt === undefined && completion === undefined) return undefined
  const cached = amount(params.cache_read_input_token_cost) ?? prompt ?? 0
  return { prompt: prompt ?? 0, cached, completion: completion ?? 0 }
}
