import { systemClock } from '../base/clock.ts'
import { findRemovable, removeModel } from '../models/manage/remove-model.ts'
import { sizeText } from '../models/model-rows.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { confirm } from './confirm.ts'

export const modelsRemove: Command = {
  name: 'models remove',
  summary: 'Remove a model from the list, and delete its files if they were pulled.',
  positionals: 'NAME',
  options: { yes: { type: 'boolean', text: 'Delete files without asking.' }, ...jsonOption },
  note: "Files added with 'helix models add' are not deleted. Also removes an incomplete download.",
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix models remove' requires one NAME")
    const removable = await findRemovable(config, name)
    const { folder, sizeBytes } = removable
    if (folder !== null && options.yes !== true) {
      const size = sizeBytes ? ` (${sizeText(sizeBytes)})` : ''
      const question = `Remove ${removable.name} and delete its files${size}? [y/N] `
      if (!(await confirm(question, "'helix models remove' asks before it deletes files"))) {
        terminal.err('Nothing was removed.\n')
        return 1
      }
    }
    await removeModel(removable, { config, clock: systemClock, apply: () => applyModels(config, terminal) })
    const removed = { name: removable.name, deleted: folder }
    if (options.json === true) terminal.out(`${JSON.stringify(removed)}\n`)
    else if (folder === null) terminal.out(`Removed ${removed.name}. Its files were not deleted.\n`)
    else terminal.out(`Removed ${removed.name} and deleted its files.\n`)
    return 0
  },
}
