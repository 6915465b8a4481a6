import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { upstreamDefaultModel } from '../config/upstream-default-model.ts'
import { findListed } from '../models/edit-model-list.ts'
import { changeModelList, type ModelList } from '../models/model-list-file.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { listModelRows, readModelRows } from './model-rows.ts'

export const modelsDefault: Command = {
  name: 'models default',
  summary: 'Choose the default model.',
  positionals: 'NAME',
  options: jsonOption,
  note: "The default model is loaded at startup, preselected in the playground and used by 'helix chat'.",
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix models default' requires one NAME")
    const ofUpstream = upstreamDefaultModel(config)
    if (ofUpstream !== null)
      throw new OperatorError(`The settings make ${ofUpstream}, the model of an upstream, the default model`)
    const { list, rows } = await readModelRows(config)
    const row = rows.find((each) => each.name === name || each.aliases.includes(name))
    if (row?.kind === 'embedding' || row?.kind === 'rerank')
      throw new OperatorError(`${name} is ${kindNames[row.kind]}; the default must be a chat model`)
    const isConfigured = row !== undefined && !row.listed
    if (isConfigured) await requireDefaultOfSettings(config, list, row.name)
    const { default: chosen } = await changeModelList(config.dataDir, systemClock, (list) => ({
      ...list,
      default: isConfigured ? null : findListed(list, name).name,
    }))
    if (options.json === true) terminal.out(`${JSON.stringify({ default: chosen ?? name })}\n`)
    else terminal.out(`The default model is now ${chosen ?? name}.\n`)
    await applyModels(config, terminal)
    return 0
  },
}

const kindNames = { embedding: 'an embedding model', rerank: 'a reranking model' } as const

/** Without a choice in the list, the settings decide. */
const requireDefaultOfSettings = async (config: Config, list: ModelList, name: string): Promise<void> => {
  const rows = await listModelRows(config, { ...list, default: null })
  if (!rows.some((row) => row.default && row.name === name))
    throw new OperatorError(`${name} is defined in the settings: mark it as the default in 'models' there`)
}
