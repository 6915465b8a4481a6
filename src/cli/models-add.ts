import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { readModel } from '../engine/model-folder.ts'
import { requireModelName, withModel } from '../models/edit-model-list.ts'
import { changeModelList } from '../models/model-list-file.ts'
import { describeFiles, readModelRows, sizeText } from '../models/model-rows.ts'
import { requireTrainedContext } from '../models/require-trained-context.ts'
import { takenNames } from '../models/taken-names.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { modelOptions, readModelOptions } from './model-options.ts'

export const modelsAdd: Command = {
  name: 'models add',
  summary: 'Add a GGUF file or model folder on this machine to the list of models.',
  positionals: 'PATH',
  options: { ...modelOptions, ...jsonOption },
  note: 'The files stay where they are. For a split model, specify the first part.',
  async run({ config, options, positionals, terminal }) {
    const [given] = positionals
    if (given === undefined || positionals.length > 1) throw new UsageError("'helix models add' requires one PATH")
    const { name, aliases, contextTokens } = readModelOptions(options)
    const path = resolve(given)
    const files = await readModel(path, contextTokens === null ? {} : { contextTokens })
    requireTrainedContext(contextTokens, files.description)
    const model = { name: requireModelName(name ?? files.served.id), path, aliases, contextTokens, pulledFrom: null }
    const { rows } = await readModelRows(config)
    await changeModelList(config.dataDir, systemClock, (list) => withModel(list, model, takenNames(rows)))
    const described = describeFiles(files)
    if (options.json === true) terminal.out(`${JSON.stringify({ name: model.name, path, aliases, ...described })}\n`)
    else
      terminal.out(
        `Added ${model.name} (${described.kind}, ${sizeText(described.size_bytes)}, context of ${described.context_length} tokens).\n`,
      )
    await applyModels(config, terminal)
    return 0
  },
}
