import { isRecord } from '../../base/is-record.ts'
import { because, type Omission } from './omission-reasons.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type LitellmParams = Readonly<Record<string, unknown>>

/** The environment variable with the key, the key itself, or none. */
export type ImportedKey = { from: string } | { value: string } | null

const fromEnvironment = 'os.environ/'
/** Those of Helix contain its own secrets, which no file may have sent anywhere. */
export const isOwnVariable = (variable: string): boolean => /^HELIX_/i.test(variable)

export const readHere = ['model', 'api_base', 'base_url', 'api_version', 'custom_llm_provider']

/** Why parameters cannot be read. */
export class UnreadableParam {
  readonly param: string
  readonly why: Omission

  constructor(param: string, why: Omission) {
    this.param = param
    this.why = why
  }
}

/** LiteLLM sets these for itself. */
export const withFileVariables = (environment: Environment | null, variables: unknown): Environment =>
  isRecord(variables)
    ? {
        ...environment,
        ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, textOf(value) ?? ''])),
      }
    : (environment ?? {})

/** With those of the credential that it names, and with what is in environment variables, except the key. */
export const readParams = (
  given: LitellmParams,
  credentials: unknown,
  environment: Environment,
  unset: (variable: string) => Omission,
): LitellmParams | UnreadableParam => {
  const { litellm_credential_name: credential, ...own } = given
  const shared = credential === undefined ? {} : findCredential(credential, credentials)
  if (shared === null) return new UnreadableParam('litellm_credential_name', because('no_credential'))
  const read: Record<string, unknown> = { ...shared, ...own }
  for (const param of [...readHere, 'api_key']) {
    const variable = variableOf(read[param])
    if (variable !== null && isOwnVariable(variable))
      return new UnreadableParam(param, because('variable_of_helix', variable))
  }
  for (const param of readHere) {
    const variable = variableOf(read[param])
    if (variable === null) continue
    const found = environment[variable] ?? ''
    if (found === '') return new UnreadableParam(param, unset(variable))
    read[param] = found
  }
  for (const param of ['api_base', 'base_url'])
    if (read[param] != null && typeof read[param] !== 'string') return new UnreadableParam(param, because('no_address'))
  return read
}

export const findCredential = (name: unknown, credentials: unknown): LitellmParams | null => {
  const found: unknown = Array.isArray(credentials)
    ? credentials.find((one: unknown) => isRecord(one) && one.credential_name === name)
    : null
  return isRecord(found) && isRecord(found.credential_values) ? found.credential_values : null
}

/** Numbers too: YAML reads a key of digits as one. */
export const textOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

export const variableOf = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith(fromEnvironment) ? value.slice(fromEnvironment.length).trim() : null

/** The key is read when the upstream is added, except from a variable that the file itself sets. */
export const readKey = (value: unknown, usual: string | undefined, variables: unknown): ImportedKey => {
  const text = textOf(value)
  const variable = text === null ? (usual ?? null) : variableOf(text)
  if (variable === null) return text === null ? null : { value: text }
  const set = isRecord(variables) && Object.hasOwn(variables, variable) ? textOf(variables[variable]) : null
  return set === null ? { from: variable } : { value: set }
}

type ImportedPrice = { prompt: number; cached: number; completion: number }

export const costFields = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost'] as const
const pricedTokens = 1_000_000

/**
 * LiteLLM's prices are for one token, in dollars; ours for a million, with six decimal places. Null: there is none. Otherwise all
 * of it can be read: half a price would give the other half away.
 */
export const readCosts = (params: LitellmParams): ImportedPrice | UnreadableParam | null => {
  const amounts = new Map<string, number>()
  for (const field of costFields) {
    const value = params[field]
    if (value === undefined || value === null) continue
    // YAML 1.1 reads 2e-6 as a text, and so do files that quote it.
    const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      return new UnreadableParam(field, because('no_price'))
    amounts.set(field, Number((amount * pricedTokens).toFixed(6)))
  }
  const [input, output, cacheRead] = costFields.map((field) => amounts.get(field))
  if (input === undefined && output === undefined) return null
  return { prompt: input ?? 0, cached: cacheRead ?? input ?? 0, completion: output ?? 0 }
}
