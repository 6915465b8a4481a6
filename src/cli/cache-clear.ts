import { type Command, jsonOption, UsageError } from './command.ts'
import { requireServer } from './control-access.ts'

export const cacheClear: Command = {
  name: 'cache clear',
  summary: 'Remove the cached answers of all organisations, or of one.',
  options: {
    organisation: { type: 'string', placeholder: 'ID', text: 'Only those of this organisation.' },
    ...jsonOption,
  },
  note: 'Models then answer again. Needed, for example, after the files of a model were replaced under the same name.',
  async run({ config, options, positionals, terminal }) {
    if (positionals.length > 0) throw new UsageError("'helix cache clear' takes no arguments")
    const { organisation } = options
    const control = await requireServer(config)
    const body = { organisation_id: typeof organisation === 'string' ? organisation : null }
    const answer = await control.clearCache({ body })
    terminal.out(options.json === true ? `${JSON.stringify(answer)}\n` : `Removed ${answer.removed} cached answers.\n`)
    return 0
  },
}
