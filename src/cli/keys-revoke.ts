import { type Command, jsonOption, UsageError } from './command.ts'
import { withKeyAccess } from './key-access.ts'

const sentences = {
  revoked: (id: string) => `Key ${id} is revoked and no longer works.`,
  already_revoked: (id: string) => `Key ${id} was revoked before.`,
  not_found: (id: string) => `There is no key ${id}. 'helix keys list' shows them.`,
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Stop an API key from working, at once and for good.',
  positionals: 'ID',
  options: jsonOption,
  async run({ config, options, positionals, terminal }) {
    const [id] = positionals
    if (id === undefined || positionals.length > 1)
      throw new UsageError("'helix keys revoke' takes the ID of one key, as 'helix keys list' shows it")
    const outcome = await withKeyAccess(config, (access) => access.revoke(id))
    if (options.json === true) terminal.out(`${JSON.stringify({ id, outcome })}\n`)
    else terminal[outcome === 'not_found' ? 'err' : 'out'](`${sentences[outcome](id)}\n`)
    return outcome === 'not_found' ? 1 : 0
  },
}
