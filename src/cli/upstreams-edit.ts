import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { readUpstreamFields, upstreamFieldOptions } from './upstream-fields.ts'

export const upstreamsEdit: Command = {
  name: 'upstreams edit',
  summary: 'Change an upstream that was added, and end a pause. Running requests complete.',
  positionals: 'NAME',
  options: {
    url: { type: 'string', placeholder: 'URL', text: 'Its base URL. For another server, give the key again.' },
    'no-key': { type: 'boolean', text: 'It needs no API key any more.' },
    ...upstreamFieldOptions,
    ...jsonOption,
  },
  note: 'What is not given stays as it is. Upstreams in the settings are changed there.',
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix upstreams edit' requires one NAME")
    const { url, 'no-key': withoutKey } = options
    if (withoutKey === true && (options['key-from'] !== undefined || options['key-stdin'] === true))
      throw new UsageError('--no-key cannot be combined with a key')
    const changes = {
      ...(typeof url === 'string' ? { url } : {}),
      ...(withoutKey === true ? { key: null } : {}),
      ...(await readUpstreamFields(options)),
    }
    if (Object.keys(changes).length === 0) throw new UsageError('There is nothing to change')
    const edited = await withControl(config, (control) =>
      control.editUpstream({ params: { subject: name }, body: changes }),
    )
    if (options.json === true) terminal.out(`${JSON.stringify(edited)}\n`)
    else terminal.out(`Changed ${name}. To see whether it answers, run 'helix upstreams test ${name}'.\n`)
    if (edited.problem !== null) terminal.err(`${edited.problem}\n`)
    return 0
  },
}
