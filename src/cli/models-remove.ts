import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { findListed, requireModelName, withoutModel } from '../models/edit-model-list.ts'
import { changeModelList, type ListedModel, modelsFolder } from '../models/model-list-file.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { readModelRows, sizeText } from './model-rows.ts'

export const modelsRemove: Command = {
  name: 'models remove',
  summary: 'Remove a model from the list, and delete its files if they were pulled.',
  positionals: 'NAME',
  options: { yes: { type: 'boolean', text: 'Delete files without asking.' }, ...jsonOption },
  note: "Files added with 'helix models add' are not deleted. Also removes an incomplete download.",
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix models remove' requires one NAME")
    const { list, rows } = await readModelRows(config)
    if (rows.some((row) => !row.listed && row.name === name))
      throw new OperatorError(`${name} is defined in the settings: to remove it, change the settings`)
    const unlisted = join(modelsFolder(config.dataDir), requireModelName(name))
    const isIncomplete = !list.models.some((model) => isNamed(model, name)) && existsSync(unlisted)
    const model = isIncomplete ? null : findListed(list, name)
    if (model !== null) withoutModel(list, name)
    const folder = model === null ? unlisted : pulledFolder(model, config.dataDir)
    const row = rows.find((each) => each.name === model?.name)
    if (folder !== null && options.yes !== true) {
      const size = row?.size_bytes ? ` (${sizeText(row.size_bytes)})` : ''
      if (!(await confirm(`Remove ${model?.name ?? name} and delete its files${size}? [y/N] `))) {
        terminal.err('Nothing was removed.\n')
        return 1
      }
    }
    if (model !== null) await changeModelList(config.dataDir, systemClock, (newest) => withoutModel(newest, name))
    await applyModels(config, terminal)
    if (folder !== null) await rm(folder, { recursive: true, force: true })
    const removed = { name: model?.name ?? name, deleted: folder }
    if (options.json === true) terminal.out(`${JSON.stringify(removed)}\n`)
    else if (folder === null) terminal.out(`Removed ${removed.name}. Its files were not deleted.\n`)
    else terminal.out(`Removed ${removed.name} and deleted its files.\n`)
    return 0
  },
}

const isNamed = ({ name, aliases }: ListedModel, wanted: string): boolean => name === wanted || aliases.includes(wanted)

/** The folder of a pulled model; null if its files are not ours to delete. */
const pulledFolder = ({ pulledFrom, path }: ListedModel, dataDir: string): string | null => {
  const folder = dirname(path)
  return pulledFrom !== null && join(modelsFolder(dataDir), basename(folder)) === folder ? folder : null
}

const confirm = async (question: string): Promise<boolean> => {
  if (process.stdin.isTTY !== true)
    throw new UsageError("'helix models remove' asks before it deletes files; add --yes")
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
