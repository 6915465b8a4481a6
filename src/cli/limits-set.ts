import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { limitOptions, readLimitOptions } from './limit-options.ts'
import { printLimits } from './limits-show.ts'

export const limitsSet: Command = {
  name: 'limits set',
  summary: 'Change the limits of a key or an organisation.',
  positionals: 'KEY',
  options: { ...limitOptions, ...jsonOption },
  note: "KEY is the id of a key, its name where no other has it, or the id of an organisation. 'none' takes a limit away; 'default' gives an organisation what the settings give to all of them. What is not named stays as it is.",
  async run({ config, options, positionals, terminal }) {
    const [subject] = positionals
    if (subject === undefined || positionals.length > 1) throw new UsageError("'helix limits set' takes one KEY")
    // An organisation without a number has that of the settings; a key has none.
    const words = subject.startsWith('org_') ? { none: 0, default: null } : { none: null }
    const limits = readLimitOptions(options, words)
    if (Object.keys(limits).length === 0) throw new UsageError("'helix limits set' needs a limit, such as --rpm 60")
    const shown = await withControl(config, (control) => control.setLimits(subject, limits))
    printLimits({ terminal, json: options.json === true }, shown)
    return 0
  },
}
