import { isRecord } from '../base/is-record.ts'
import { isModelName } from '../base/model-name.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { UpstreamPresetName } from '../config/upstream-presets.ts'
import { readYaml } from './read-yaml.ts'

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
const ownServers: readonly UpstreamPresetName[] = ['ollama', 'lm-studio', 'vllm', 'anthropic']

const kinds: Readonly<Record<string, 'chat' | 'embedding' | 'rerank'>> = {
  chat: 'chat',
  completion: 'chat',
  responses: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
}
const costs = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost']
const takenParams = ['model', 'api_base', 'api_key', 'api_version', 'max_parallel_requests', ...costs]
/** `id` is LiteLLM's own. */
const takenInfo = ['mode', 'id', ...costs]
const maxModels = 500

type Environment = Readonly<Record<string, string | undefined>>

/** Reads a `config.yaml`: models with the same provider, address and key become one upstream. Keys of the environment stay there. */
export const readLitellmConfig = (text: string, environment: Environment = {}): ImportedConfig => {
  const document = readYaml(text)
  const { model_list: list, ...others } = document
  const omitted: Omitted[] = Object.keys(others).map((path) => ({ path, reason: 'it has no counterpart' }))
  if (!Array.isArray(list)) throw new OperatorError('The file has no model_list.')
  if (list.length > maxModels)
    throw new OperatorError(`The model_list has ${list.length} entries; at most ${maxModels} can be imported at once.`)
  const upstreams = new Map<string, ImportedUpstream>()
  for (const [index, entry] of list.entries()) {
    const path = `model_list[${index}]`
    const omit = (name: string, reason: string): void => void omitted.push({ path: `${path}${name}`, reason })
    const refused = addModel(entry, upstreams, omit, environment)
    if (refused !== null) omit(...refused)
  }
  return { upstreams: [...upstreams.values()], omitted }
}

type Omitting = (name: string, reason: string) => void

/** Returns why it cannot be taken over at all, and where; null if it was. */
const addModel = (
  entry: unknown,
  upstreams: Map<string, ImportedUpstream>,
  omit: Omitting,
  environment: Environment,
): Parameters<Omitting> | null => {
  const given = isRecord(entry) ? entry.litellm_params : undefined
  const name = isRecord(entry) ? entry.model_name : undefined
  const params = isRecord(given) ? fromVariables(given, environment) : given
  if (params instanceof MissingVariable) return [`.litellm_params.${params.param}`, params.message]
  if (!isRecord(entry) || !isRecord(params) || typeof name !== 'string' || typeof params.model !== 'string')
    return ['', 'it has no model_name or litellm_params.model']
  const [prefix = '', ...rest] = params.model.split('/')
  const provider = rest.length === 0 ? 'openai' : prefix
  const upstreamName = rest.length === 0 ? prefix : rest.join('/')
  const preset = presets[provider]
  if (preset === undefined) return ['', `the provider ${provider} is not known here`]
  if (`${name}${upstreamName}`.includes('*')) return ['', 'names with * are not supported; name each model']
  if (!isModelName(name) || !isModelName(upstreamName)) return ['', 'a model cannot have this name']
  const info = isRecord(entry.model_info) ? entry.model_info : {}
  const kind = kinds[typeof info.mode === 'string' ? info.mode : 'chat']
  if (kind === undefined) return ['', `models of the mode ${String(info.mode)} are not served`]
  const upstream = findUpstream(params, preset, upstreams)
  if (upstream === null) return ['.litellm_params.api_base', 'an address is necessary for this provider']
  if (upstream.models.some((model) => model.name === name)) return ['', `${upstream.name} has a model ${name} already`]
  for (const field of Object.keys(params))
    if (!takenParams.includes(field)) omit(`.litellm_params.${field}`, 'it has no counterpart')
  for (const field of Object.keys(info))
    if (!takenInfo.includes(field)) omit(`.model_info.${field}`, 'it has no counterpart')
  const price = readPrice({ ...info, ...params })
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
  const key = readKey(params.api_key)
  const apiVersion = provider === 'azure' ? textOf(params.api_version) : null
  const url = base === null ? null : addressOf(base, provider, apiVersion)
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

/** LiteLLM adds the rest of the path itself. */
const addressOf = (base: string, provider: UpstreamPresetName, apiVersion: string | null): string => {
  if (ownServers.includes(provider)) return withVersion(base)
  if (provider !== 'azure' || /^https?:\/\/[^/]+\/openai\b/.test(base)) return base
  return `${base.replace(/\/+$/, '')}/openai${apiVersion === null ? '/v1' : ''}`
}

const fromEnvironment = 'os.environ/'
const namedElsewhere = ['model', 'api_base', 'api_version']

class MissingVariable {
  readonly param: string
  readonly message: string

  constructor(param: string, variable: string) {
    this.param = param
    this.message = `the environment variable ${variable} is not set`
  }
}

/** The key is read when the upstream is added. */
const fromVariables = (
  params: Record<string, unknown>,
  environment: Environment,
): Record<string, unknown> | MissingVariable => {
  const read: Record<string, unknown> = { ...params }
  for (const [param, value] of Object.entries(params)) {
    if (!namedElsewhere.includes(param) || typeof value !== 'string' || !value.startsWith(fromEnvironment)) continue
    const variable = value.slice(fromEnvironment.length)
    const found = environment[variable] ?? ''
    if (found === '') return new MissingVariable(param, variable)
    read[param] = found
  }
  return read
}

const readKey = (value: unknown): ImportedUpstream['key'] => {
  const text = textOf(value)?.trim() ?? ''
  if (text === '') return null
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
