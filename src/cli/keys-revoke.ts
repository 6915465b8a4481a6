import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

const sentences = {
  revoked: (id: string) => `Key ${id} is revoked and no longer works.`,
  already_revoked: (id: string) => `Key ${id} was revoked before.`,
  not_found: (id: string) => `There is no key ${id}. 'helix keys list' shows them.`,
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Stop an API key from working, at once and for good.',
  positionals: 'KEY',
  options: jsonOption,
  note: "KEY is the id of a key, or its name where no other has it; 'helix keys list' shows both.",
  async run({ config, options, positionals, terminal }) {
    const [key] = positionals
    if (key === undefined || positionals.length > 1) throw new UsageError("'helix keys revoke' takes one KEY")
    const { id, outcome } = await withControl(config, (control) => control.revokeKey(key))
    if (options.json === true) terminal.out(`${JSON.stringify({ id, outcome })}\n`)
    else terminal[outcome === 'not_found' ? 'err' : 'out'](`${sentences[outcome](id)}\n`)
    return outcome === 'not_found' ? 1 : 0
  },
}
