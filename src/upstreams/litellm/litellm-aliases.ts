import { isRecord } from '../../base/is-record.ts'
import { isModelName } from '../../base/model-name.ts'
import { because } from './omission-reasons.ts'
import { type Omitted, omitted } from './omitted.ts'

type AliasedUpstream = { models: { name: string; aliases?: string[] }[] }

/** LiteLLM's `model_group_alias`: other names of models. Adds them wherever the model is, and returns those that cannot be. */
export const addAliases = (upstreams: readonly AliasedUpstream[], aliases: unknown): Omitted[] => {
  if (!isRecord(aliases)) return []
  const models = upstreams.flatMap((upstream) => upstream.models)
  return Object.entries(aliases).flatMap(([alias, meant]) => {
    const path = `router_settings.model_group_alias.${alias}`
    const name = isRecord(meant) ? meant.model : meant
    const named = models.filter((model) => model.name === name)
    if (named.length === 0) return [omitted(path, because('alias_without_model'))]
    if (!isModelName(alias) || models.some((model) => model.name === alias))
      return [omitted(path, because('alias_name'))]
    for (const model of named) model.aliases = [...(model.aliases ?? []), alias]
    return []
  })
}
