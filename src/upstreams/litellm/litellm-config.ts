import { isRecord } from '../../base/is-record.ts'
import { isModelName } from '../../base/model-name.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { UpstreamCapability, UpstreamModelKind } from '../../config/upstream-names.ts'
import { findPreset, type UpstreamPresetName } from '../../config/upstream-presets.ts'
import { litellmAddress } from './litellm-address.ts'
import { addAliases } from './litellm-aliases.ts'
import { omissionOf, omittedSections } from './litellm-omissions.ts'
import {
  costFields,
  type Environment,
  type ImportedKey,
  type LitellmParams,
  readCosts,
  readKey,
  readParams,
  textOf,
  UnreadableParam,
  withFileVariables,
} from './litellm-params.ts'
import { findLitellmProvider, type LitellmProvider, providerOfModel } from './litellm-providers.ts'
import { because, type Omission } from './omission-reasons.ts'
import { type Omitted, omitted } from './omitted.ts'
import { readYaml } from './read-yaml.ts'

/** A model of LiteLLM's `model_list`, as an upstream has it. */
type ImportedModel = {
  name: string
  upstreamName: string
  kind?: 'embedding' | 'rerank'
  aliases?: string[]
  weight?: number
  capabilities?: UpstreamCapability[]
  price?: { prompt: number; cached: number; completion: number }
}

export type ImportedUpstream = {
  name: string
  preset: UpstreamPresetName | null
  /** Null: that of the preset. */
  url: string | null
  key: ImportedKey
  apiVersion: string | null
  maxInFlight: number | null
  models: ImportedModel[]
}

export type ImportedConfig = { upstreams: ImportedUpstream[]; omitted: Omitted[] }

const kinds: Readonly<Record<string, UpstreamModelKind>> = {
  chat: 'chat',
  completion: 'chat',
  responses: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
}
const addressParams = ['api_base', 'base_url', 'api_version', 'custom_llm_provider', 'litellm_credential_name']
const takenParams = ['model', 'api_key', 'weight', 'max_parallel_requests', ...addressParams, ...costFields]
const capabilityFields = { supports_vision: 'vision', supports_audio_input: 'audio' } as const
/** `id` is LiteLLM's own. */
const takenInfo = ['mode', 'id', ...Object.keys(capabilityFields), ...costFields]
const azureTokens = ['azure_ad_token', 'tenant_id', 'client_id', 'client_secret']
const maxModels = 500

type ReadOptions = {
  /** Null: that of the server is not for whoever wrote the file. */
  environment?: Environment | null
  /** Why it is null. */
  unread?: 'variable_not_read' | 'variable_in_dry_run'
  /** Of the server's prices: those of LiteLLM are in dollars. */
  currency?: string
}

/** Reads a `config.yaml`: models with the same provider, address and key become one upstream. Keys of the environment stay there. */
export const readLitellmConfig = (
  text: string,
  { environment = {}, unread = 'variable_not_read', currency = 'USD' }: ReadOptions = {},
): ImportedConfig => {
  const document = readYaml(text)
  const { model_list: list, credential_list: credentials, environment_variables: variables } = document
  if (!Array.isArray(list)) throw new OperatorError('The file has no model_list.')
  if (list.length > maxModels)
    throw new OperatorError(`The model_list has ${list.length} entries; at most ${maxModels} can be imported at once.`)
  const left = omittedSections(document)
  const upstreams: ImportedUpstream[] = []
  const readFrom = {
    upstreams,
    byIdentity: new Map<string, readonly ImportedUpstream[]>(),
    credentials,
    variables,
    environment: withFileVariables(environment, variables),
    unset: (variable: string) => because(environment === null ? unread : 'variable_not_set', variable),
    currency,
  }
  for (const [index, entry] of list.entries()) {
    const path = `model_list[${index}]`
    const omit = (name: string, why: Omission): void => void left.push(omitted(`${path}${name}`, why))
    const refused = addModel(entry, readFrom, omit)
    if (refused !== null) omit(...refused)
  }
  const { router_settings: router } = document
  if (isRecord(router)) left.push(...addAliases(upstreams, router.model_group_alias))
  return { upstreams, omitted: left }
}

type Omitting = (name: string, why: Omission) => void
type Refusal = Parameters<Omitting>
type ReadFrom = {
  upstreams: ImportedUpstream[]
  byIdentity: Map<string, readonly ImportedUpstream[]>
  credentials: unknown
  variables: unknown
  environment: Environment
  /** Why the value of a variable is missing. */
  unset(variable: string): Omission
  currency: string
}

/** Returns why it cannot be taken over at all, and where; null if it was. */
const addModel = (entry: unknown, from: ReadFrom, omit: Omitting): Refusal | null => {
  const given = isRecord(entry) ? entry.litellm_params : undefined
  const name = isRecord(entry) ? entry.model_name : undefined
  const params = isRecord(given) ? readParams(given, from.credentials, from.environment, from.unset) : given
  if (params instanceof UnreadableParam) return [`.litellm_params.${params.param}`, params.why]
  if (!isRecord(entry) || !isRecord(params) || typeof name !== 'string' || typeof params.model !== 'string')
    return ['', because('nameless')]
  if (`${name}${params.model}`.includes('*')) return ['', because('wildcard')]
  if (params.mock_response != null) return ['.litellm_params.mock_response', because('mock_response')]
  const base = textOf(params.api_base) ?? textOf(params.base_url)
  const model = providerOfModel(params.model, textOf(params.custom_llm_provider), base !== null)
  if (model === null) return ['.litellm_params.model', because('unknown_model', params.model)]
  const provider = findLitellmProvider(model.provider)
  if (provider === null) return ['', because('unknown_provider', model.provider)]
  // A series of Azure's models, for LiteLLM only.
  const ownName = provider.preset === 'azure' ? model.upstreamName.replace(/^\w+_series\//, '') : model.upstreamName
  // So LiteLLM is told to ask a model at the Responses API.
  const isPrefixed = (provider.preset === 'azure' || provider.preset === 'openai') && /^responses\//.test(ownName)
  const upstreamName = isPrefixed ? ownName.slice('responses/'.length) : ownName
  if (![name, upstreamName].every((one) => isModelName(one) && !/\s/.test(one))) return ['', because('model_name')]
  const info = isRecord(entry.model_info) ? entry.model_info : {}
  const mode = typeof info.mode === 'string' ? info.mode : 'chat'
  const kind = Object.hasOwn(kinds, mode) ? kinds[mode] : undefined
  if (kind === undefined) return ['', because('mode', mode)]
  const preset = findPreset(provider.preset)
  if (preset?.serves.includes(kind) === false) return ['', because('mode_of_provider', mode)]
  const token = azureTokens.find((field) => params[field] != null)
  if (provider.preset === 'azure' && textOf(params.api_key) === null && token !== undefined)
    return [`.litellm_params.${token}`, omissionOf(token)]
  const isResponses = isPrefixed || mode === 'responses'
  const upstream = findUpstream({ name, upstreamName, params, base, provider, isResponses }, from)
  if (upstream === null) return ['.litellm_params.api_base', because('address_needed')]
  if (upstream.models.some((known) => known.name === name)) return ['', because('model_twice', name)]
  for (const field of Object.keys(params))
    if (!takenParams.includes(field)) omit(`.litellm_params.${field}`, omissionOf(field))
  for (const field of Object.keys(info)) if (!takenInfo.includes(field)) omit(`.model_info.${field}`, omissionOf(field))
  const price = priceOf({ ...info, ...params }, from.currency, omit)
  const weight = weightOf(params.weight, omit)
  const capabilities = capabilitiesOf(info, upstream.preset, isResponses)
  upstream.models.push({
    ...{ name, upstreamName },
    ...(kind === 'chat' ? {} : { kind }),
    ...(weight === null ? {} : { weight }),
    ...(capabilities === null ? {} : { capabilities }),
    ...(price === null ? {} : { price }),
  })
  const { max_parallel_requests: most } = params
  if (typeof most === 'number' && Number.isInteger(most) && most > 0)
    upstream.maxInFlight = Math.max(upstream.maxInFlight ?? 0, most)
  return null
}

type Address = Pick<ImportedModel, 'name' | 'upstreamName'> & {
  params: LitellmParams
  base: string | null
  provider: LitellmProvider
  isResponses: boolean
}

/** Null without an address. Several deployments of a model at the same address are several upstreams, which are a pool. */
const findUpstream = (
  { name: model, upstreamName, params, base: given, provider, isResponses }: Address,
  { upstreams, byIdentity, variables, environment }: ReadFrom,
): ImportedUpstream | null => {
  const base = given ?? (provider.preset === 'azure' ? textOf(environment.AZURE_API_BASE) : null)
  // LiteLLM calls every compatible server openai. It gets no key that was not meant for it.
  const isOther = provider.preset === 'openai' && base !== null
  const preset = isOther ? null : provider.preset
  if (base === null && (preset === null || preset === 'azure')) return null
  const key = readKey(params.api_key, isOther ? undefined : provider.keyVariable, variables)
  // Azure has it at the newer addresses, which every resource has, too.
  const version = isResponses ? null : textOf(params.api_version)
  const { url, apiVersion } = base === null ? { url: null, apiVersion: null } : litellmAddress(base, provider, version)
  const identity = JSON.stringify([preset, url, key, apiVersion])
  const same = byIdentity.get(identity) ?? []
  const known = same.find(({ models }) =>
    models.every((one) => one.name !== model || one.upstreamName === upstreamName),
  )
  if (known !== undefined) return known
  const stem = preset ?? 'compatible'
  const earlier = upstreams.filter((other) => other.preset === preset).length
  const name = earlier === 0 ? stem : `${stem}-${earlier + 1}`
  const upstream = { name, preset, url, key, apiVersion, maxInFlight: null, models: [] }
  upstreams.push(upstream)
  byIdentity.set(identity, [...same, upstream])
  return upstream
}

const priceOf = (
  fields: LitellmParams,
  currency: string,
  omit: Omitting,
): NonNullable<ImportedModel['price']> | null => {
  const costs = readCosts(fields)
  if (costs === null) return null
  if (costs instanceof UnreadableParam) omit(`.litellm_params.${costs.param}`, costs.why)
  else if (currency === 'USD') return costs
  else omit('.litellm_params.input_cost_per_token', because('currency', currency))
  return null
}

const weightOf = (value: unknown, omit: Omitting): number | null => {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= 0.01 && value <= 100) return value
  omit('.litellm_params.weight', because('weight'))
  return null
}

/** What LiteLLM says about images, audio and models that it asks at the Responses API, beside what the preset says; null if that is the same. */
const capabilitiesOf = (
  info: LitellmParams,
  presetName: UpstreamPresetName | null,
  isResponses: boolean,
): UpstreamCapability[] | null => {
  const usual = findPreset(presetName)?.capabilities ?? []
  const known = new Set(usual)
  for (const [field, capability] of Object.entries(capabilityFields)) {
    if (info[field] === true) known.add(capability)
    else if (info[field] === false) known.delete(capability)
  }
  if (isResponses) known.add('responses').add('responses_for_chat')
  return known.size === usual.length && usual.every((one) => known.has(one)) ? null : [...known]
}
