/**
 * Why something of a LiteLLM configuration is not taken over, and what to use instead: the sentences of the command line, and of
 * English pages. `{value}`: what each of them is about.
 */
export const omissionReasons = {
  no_counterpart: 'it has no counterpart',
  failover: "failover and pauses are Helix's own, see docs/upstreams.md#health",
  same_model: 'only upstreams of the same model replace each other',
  limits: 'limits and budgets are set for keys and organisations, see docs/limits.md',
  observed: 'see docs/operate/metrics.md, docs/operate/traces.md and docs/webhooks.md',
  cached: 'see docs/cache.md',
  redis: 'see the setting redis',
  context: 'set contextTokens of the model',
  azure_token: "only keys are supported, not Microsoft's tokens",
  first_byte_timeout: 'set firstByteTimeoutMs of the upstream',
  silence_timeout: 'set silenceTimeoutMs of the upstream',
  base_model: 'set the price of the model, if it has one',
  fields: 'fields that no upstream of the model accepts are refused, see docs/upstreams.md#kinds',
  placement: "placement is Helix's own, see docs/upstreams.md#placement",
  keys: 'keys are created on the page Keys, or with helix keys create',
  database: 'Helix has a database of its own, see docs/operate/postgresql.md',
  hooks: 'see docs/hooks.md',
  include: 'import each file by itself',
  variable_not_set: 'the environment variable {value} is not set',
  variable_not_read: 'write the value into the file: the variable {value} is not read here',
  variable_in_dry_run: 'the variable {value} is not read with --dry-run',
  variable_of_helix: 'the variable {value} is for Helix itself, and is never read for an upstream',
  no_credential: 'there is no such credential in credential_list',
  no_address: 'not a valid address',
  address_needed: 'this provider needs an address',
  nameless: 'it has no model_name or litellm_params.model',
  wildcard: 'names with * are not supported; name each model',
  mock_response: 'LiteLLM answers it itself',
  unknown_model: 'only LiteLLM knows whose model it is; name it PROVIDER/{value}',
  unknown_provider: 'the provider {value} is not known here',
  model_name: 'a model cannot have this name',
  mode: 'models of the mode {value} are not served',
  mode_of_provider: 'this provider does not serve models of mode {value}',
  model_twice: 'an upstream has a model {value} already',
  no_price: 'not a valid price, so none is set',
  currency: 'prices are in dollars, and those of this server in {value}',
  weight: 'a weight is a number from 0.01 to 100',
  alias_without_model: 'its model was not taken over',
  alias_name: 'this alias is not allowed',
} as const

export type OmissionCode = keyof typeof omissionReasons

const isCode = (name: string): name is OmissionCode => Object.hasOwn(omissionReasons, name)
export const omissionCodes: readonly OmissionCode[] = Object.keys(omissionReasons).filter(isCode)

export type Omission = { code: OmissionCode; value: string }

export const because = (code: OmissionCode, value = ''): Omission => ({ code, value })
