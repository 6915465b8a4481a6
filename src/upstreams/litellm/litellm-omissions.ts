import { isRecord } from '../../base/is-record.ts'
import { because, type Omission, type OmissionCode } from './omission-reasons.ts'
import { type Omitted, omitted } from './omitted.ts'

/** What is there instead, by the name of a field. */
const codes: Readonly<Record<string, OmissionCode>> = {
  ...{
    rpm: 'limits',
    tpm: 'limits',
    max_budget: 'limits',
    budget_duration: 'limits',
    default_max_internal_user_budget: 'limits',
  },
  ...{ timeout: 'first_byte_timeout', request_timeout: 'first_byte_timeout' },
  stream_timeout: 'silence_timeout',
  ...{ max_input_tokens: 'context', base_model: 'base_model' },
  ...{
    azure_ad_token: 'azure_token',
    tenant_id: 'azure_token',
    client_id: 'azure_token',
    client_secret: 'azure_token',
  },
  ...{ fallbacks: 'same_model', default_fallbacks: 'same_model', context_window_fallbacks: 'same_model' },
  content_policy_fallbacks: 'same_model',
  ...{ num_retries: 'failover', max_retries: 'failover', allowed_fails: 'failover', cooldown_time: 'failover' },
  ...{ retry_policy: 'failover', retry_after: 'failover', enable_pre_call_checks: 'failover' },
  drop_params: 'fields',
  routing_strategy: 'placement',
  ...{ redis_host: 'redis', redis_port: 'redis', redis_password: 'redis', redis_url: 'redis' },
  ...{ cache: 'cached', cache_params: 'cached', cache_responses: 'cached' },
  ...{ callbacks: 'observed', success_callback: 'observed', failure_callback: 'observed', alerting: 'observed' },
  ...{ alert_types: 'observed', alerting_threshold: 'observed' },
  master_key: 'keys',
  database_url: 'database',
  guardrails: 'hooks',
  include: 'include',
}

export const omissionOf = (field: string): Omission =>
  because((Object.hasOwn(codes, field) ? codes[field] : undefined) ?? 'no_counterpart')

const sections = ['router_settings', 'litellm_settings', 'general_settings']
/** What is read: for its values, or because models repeat it. */
const taken = ['model_list', 'environment_variables', 'credential_list', 'router_settings.model_group_alias']

/** Everything beside the list of models that is not read. Sections are told field by field. */
export const omittedSections = (document: Readonly<Record<string, unknown>>): Omitted[] =>
  Object.entries(document).flatMap(([name, value]) => {
    const isSection = sections.includes(name) && isRecord(value) && Object.keys(value).length > 0
    const fields = isSection ? Object.keys(value).map((field) => ({ path: `${name}.${field}`, field })) : []
    const places = isSection ? fields : [{ path: name, field: name }]
    return places.filter(({ path }) => !taken.includes(path)).map(({ path, field }) => omitted(path, omissionOf(field)))
  })
