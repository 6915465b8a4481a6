import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { readUpstreamFields, upstreamFieldOptions } from './upstream-fields.ts'

export const upstreamsAdd: Command = {
  name: 'upstreams add',
  summary: 'Add an OpenAI-compatible server whose models are served here too.',
  positionals: 'NAME [URL]',
  options: { ...upstreamFieldOptions, ...jsonOption },
  note: 'The key is stored encrypted and never shown again; it cannot be an argument, because other users can see those. Separate the items of a LIST with commas.',
  async run({ config, options, positionals, terminal }) {
    const [name, url] = positionals
    if (name === undefined || positionals.length > 2)
      throw new UsageError("'helix upstreams add' requires NAME and URL")
    if (url === undefined && options.preset === undefined)
      throw new UsageError("'helix upstreams add' requires a URL, or a --preset that has one")
    const wanted = { name, ...(url === undefined ? {} : { url }), ...(await readUpstreamFields(options)) }
    const added = await withControl(config, (control) => control.addUpstream({ body: wanted }))
    if (options.json === true) terminal.out(`${JSON.stringify(added)}\n`)
    else terminal.out(`Added ${name}. To see whether it answers, run 'helix upstreams test ${name}'.\n`)
    if (added.problem !== null) terminal.err(`${added.problem}\n`)
    return 0
  },
}
