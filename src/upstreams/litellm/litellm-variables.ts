import { isRecord } from '../../base/is-record.ts'
import { findPreset } from '../../config/upstream-presets.ts'
import { findCredential, isOwnVariable, type LitellmParams, readHere, textOf, variableOf } from './litellm-params.ts'
import { findLitellmProvider, type LitellmProvider, providerOfModel } from './litellm-providers.ts'
import { readYaml } from './read-yaml.ts'

/** A variable of the environment, and the addresses that its value would be sent to. */
export type NamedVariable = { variable: string; sentTo: string[] }

const azureBase = 'AZURE_API_BASE'

/**
 * The variables that a `config.yaml` has read, also those that LiteLLM reads when the file names none, without reading any. Whoever wrote the
 * file chose both the variable and the address, so that the person who imports it has to see them together.
 */
export const listLitellmVariables = (text: string): NamedVariable[] => {
  const { model_list: list, credential_list: credentials, environment_variables: variables } = readYaml(text)
  const found = new Map<string, Set<string>>()
  for (const entry of Array.isArray(list) ? list : []) {
    const given: unknown = isRecord(entry) ? entry.litellm_params : null
    if (!isRecord(given)) continue
    const params = { ...findCredential(given.litellm_credential_name, credentials), ...given }
    const { named, target } = examine(params)
    for (const variable of named) {
      const isOfFile = isRecord(variables) && Object.hasOwn(variables, variable)
      if (!isOfFile && !isOwnVariable(variable)) found.set(variable, (found.get(variable) ?? new Set()).add(target))
    }
  }
  return [...found].map(([variable, targets]) => ({ variable, sentTo: [...targets] }))
}

const examine = (params: LitellmParams): { named: string[]; target: string } => {
  const base = textOf(params.api_base) ?? textOf(params.base_url)
  const provider = findProvider(params, base !== null)
  const isAzureWithout = provider?.preset === 'azure' && base === null
  // A server that only has the API of the provider gets no key that the file does not name.
  const isOther = provider?.preset === 'openai' && base !== null
  const usualKey = textOf(params.api_key) === null && !isOther ? provider?.keyVariable : undefined
  const named = [...readHere, 'api_key'].flatMap((param) => variableOf(params[param]) ?? [])
  const address = isAzureWithout ? `os.environ/${azureBase}` : (base ?? findPreset(provider?.preset ?? null)?.url)
  const variable = variableOf(address)
  const target = variable === null ? (address ?? 'an address that is not known yet') : `the address in ${variable}`
  return {
    named: [...named, ...(isAzureWithout ? [azureBase] : []), ...(usualKey === undefined ? [] : [usualKey])],
    target,
  }
}

/** Null where it is itself in a variable. */
const findProvider = (params: LitellmParams, hasAddress: boolean): LitellmProvider | null => {
  const [model, custom] = [textOf(params.model), textOf(params.custom_llm_provider)]
  if (model === null || variableOf(model) !== null || variableOf(custom) !== null) return null
  const found = providerOfModel(model, custom, hasAddress)
  return found === null ? null : findLitellmProvider(found.provider)
}
