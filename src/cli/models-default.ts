import { systemClock } from '../base/clock.ts'
import { chooseDefault } from '../models/manage/choose-default.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, UsageError } from './command.ts'

export const modelsDefault: Command = {
  name: 'models default',
  summary: 'Choose the default model.',
  positionals: 'NAME',
  options: jsonOption,
  note: "The default model is loaded at startup, preselected in the playground and used by 'helix chat'.",
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix models default' requires one NAME")
    const chosen = await chooseDefault(config, systemClock, name)
    if (options.json === true) terminal.out(`${JSON.stringify({ default: chosen })}\n`)
    else terminal.out(`The default model is now ${chosen}.\n`)
    await applyModels(config, terminal)
    return 0
  },
}
