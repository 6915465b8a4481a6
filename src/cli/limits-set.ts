import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { limitOptions, readLimitOptions } from './limit-options.ts'
import { printLimits } from './limits-show.ts'

export const limitsSet: Command = {
  name: 'limits set',
  summary: 'Change the limits of a key or an organisation.',
  positionals: 'KEY',
  options: { ...limitOptions, ...jsonOption },
  note: "KEY is the ID of a key, its name if it is unique, or the ID of an organisation. Use 'none' to remove a limit, or 'default' to reset an organisation limit to the configured default. Limits you do not specify are unchanged.",
  async run({ config, options, positionals, terminal }) {
    const [subject] = positionals
    if (subject === undefined || positionals.length > 1) throw new UsageError("'helix limits set' requires one KEY")
    // Null means the configured default for an organisation, and no limit for a key.
    const words = subject.startsWith('org_') ? { none: 0, default: null } : { none: null }
    const limits = readLimitOptions(options, words)
    if (Object.keys(limits).length === 0)
      throw new UsageError("'helix limits set' requires at least one limit, for example --rpm 60")
    const shown = await withControl(config, (control) => control.setLimits({ params: { subject }, body: limits }))
    printLimits({ terminal, json: options.json === true, currency: config.currency }, shown)
    return 0
  },
}
