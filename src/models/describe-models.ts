import type { Log } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'
import { type ModelFiles, readModel } from '../engine/model-folder.ts'
import type { ModelEntry } from './model-entries.ts'
import { requireTrainedContext } from './require-trained-context.ts'

/** A model with what its files say, or the reason why they cannot be served. */
export type DescribedModel = { entry: ModelEntry; id: string; aliases: readonly string[] } & (
  | { files: ModelFiles; failure: null }
  | { files: null; failure: string }
)

/** Reads the files of all models. A name that is taken belongs to the first model that has it. */
export const describeModels = async (entries: readonly ModelEntry[], log: Log): Promise<DescribedModel[]> => {
  const described: DescribedModel[] = []
  const taken = new Set<string>()
  const claim = (name: string): boolean => {
    if (taken.has(name)) log.warn('model_name_taken', { name })
    return !taken.has(name) && taken.add(name).has(name)
  }
  for (const entry of entries) {
    const model = await describe(entry)
    if (claim(model.id)) described.push(model)
  }
  return described.map((model) => ({ ...model, aliases: model.entry.aliases.filter(claim) }))
}

const describe = async (entry: ModelEntry): Promise<DescribedModel> => {
  const { name, path, contextTokens, aliases } = entry
  try {
    const files = await readModel(path, {
      ...(name === null ? {} : { name }),
      ...(contextTokens === null ? {} : { contextTokens }),
    })
    requireTrainedContext(contextTokens, files.description, { model: path, option: 'contextTokens' })
    return { entry, id: files.served.id, aliases, files, failure: null }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { entry, id: name ?? path, aliases, files: null, failure: error.message }
  }
}
