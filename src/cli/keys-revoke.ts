import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

const sentences = {
  revoked: (id: string) => `Key ${id} has been revoked and no longer works.`,
  already_revoked: (id: string) => `Key ${id} was already revoked.`,
  not_found: (id: string) => `No key found with ID ${id}. To list the keys, run 'helix keys list'.`,
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key immediately and permanently.',
  positionals: 'KEY',
  options: jsonOption,
  note: "KEY is the ID of a key, or its name if it is unique. To see both, run 'helix keys list'.",
  async run({ config, options, positionals, terminal }) {
    const [key] = positionals
    if (key === undefined || positionals.length > 1) throw new UsageError("'helix keys revoke' requires one KEY")
    const { id, outcome } = await withControl(config, (control) => control.revokeKey({ params: { subject: key } }))
    if (options.json === true) terminal.out(`${JSON.stringify({ id, outcome })}\n`)
    else terminal[outcome === 'not_found' ? 'err' : 'out'](`${sentences[outcome](id)}\n`)
    return outcome === 'not_found' ? 1 : 0
  },
}
