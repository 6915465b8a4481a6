import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { upstreamDefaultModel } from '../../config/upstream-default-model.ts'
import { findListed } from '../edit-model-list.ts'
import { changeModelList, type ModelList } from '../model-list-file.ts'
import { listModelRows, readModelRows } from '../model-rows.ts'

/** Writes the choice to the list in the data directory. Resolves to the name of the model. */
export const chooseDefault = async (config: Config, clock: Clock, name: string): Promise<string> => {
  const ofUpstream = upstreamDefaultModel(config)
  if (ofUpstream !== null)
    throw new OperatorError(`The settings make ${ofUpstream}, the model of an upstream, the default model`)
  const { list, rows } = await readModelRows(config)
  const row = rows.find((each) => each.name === name || each.aliases.includes(name))
  if (row?.kind === 'embedding' || row?.kind === 'rerank')
    throw new OperatorError(`${name} is ${kindNames[row.kind]}; the default must be a chat model`)
  const isConfigured = row !== undefined && !row.listed
  if (isConfigured) await requireDefaultOfSettings(config, list, row.name)
  const { default: chosen } = await changeModelList(config.dataDir, clock, (newest) => ({
    ...newest,
    default: isConfigured ? null : findListed(newest, name).name,
  }))
  return chosen ?? row?.name ?? name
}

const kindNames = { embedding: 'an embedding model', rerank: 'a reranking model' } as const

/** Without a choice in the list, the settings decide. */
const requireDefaultOfSettings = async (config: Config, list: ModelList, name: string): Promise<void> => {
  const rows = await listModelRows(config, { ...list, default: null })
  if (!rows.some((row) => row.default && row.name === name))
    throw new OperatorError(`${name} is defined in the settings: mark it as the default in 'models' there`)
}
