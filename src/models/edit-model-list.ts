import { OperatorError } from '../base/operator-error.ts'
import type { ListedModel, ModelList } from './model-list-file.ts'
import { modelNamePattern } from './propose-model-name.ts'

/** Files of the list, beside the folders of the models. */
const reservedPattern = /^models\.(json|lock)(\.|$)/i

/** Throws an `OperatorError` if the name or alias cannot be used. */
export const requireModelName = (name: string): string => {
  if (modelNamePattern.test(name) && !reservedPattern.test(name)) return name
  throw new OperatorError(
    `'${name}' cannot be the name of a model: use up to 96 letters, digits, '.', '_' and '-', starting with a letter or digit`,
  )
}

/** `taken`: names and aliases that the settings use. */
export const withModel = (list: ModelList, model: ListedModel, taken: readonly string[] = []): ModelList => {
  const names = [model.name, ...model.aliases]
  const used = [...taken, ...list.models.flatMap(({ name, aliases }) => [name, ...aliases])]
  for (const [index, name] of names.entries()) {
    requireModelName(name)
    if (isAmong([...used, ...names.slice(0, index)], name))
      throw new OperatorError(`There is already a model with the name or alias '${name}': choose another with --name`)
  }
  return { ...list, models: [...list.models, model] }
}

export const withoutModel = (list: ModelList, name: string): ModelList => {
  const model = findListed(list, name)
  if (list.default === model.name)
    throw new OperatorError(
      `${model.name} is the default model: choose another one first, with 'helix models default NAME'`,
    )
  return { ...list, models: list.models.filter((each) => each !== model) }
}

/** By name or alias. */
export const findListed = (list: ModelList, name: string): ListedModel => {
  const model = list.models.find((each) => each.name === name || each.aliases.includes(name))
  if (model !== undefined) return model
  throw new OperatorError(`There is no model '${name}' in the list. To see all, run 'helix models list'.`)
}

/** Some file systems do not distinguish case, and people do not either. */
const isAmong = (names: readonly string[], name: string): boolean =>
  names.some((each) => each.toLowerCase() === name.toLowerCase())
