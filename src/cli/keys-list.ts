import type { KeyJson } from '../platform/keys/key-json.ts'
import { type Command, jsonOption } from './command.ts'
import { withKeyAccess } from './key-access.ts'
import { renderTable } from './table.ts'

export const keysList: Command = {
  name: 'keys list',
  summary: 'Show the API keys, without their secrets.',
  options: jsonOption,
  async run({ config, options, terminal }) {
    const keys = await withKeyAccess(config, (access) => access.list())
    if (options.json === true) terminal.out(`${JSON.stringify(keys)}\n`)
    else if (keys.length === 0) terminal.out("There are no keys yet. 'helix keys create --name NAME' makes one.\n")
    else terminal.out(renderTable(['ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES'], keys.map(row)))
    return 0
  },
}

const row = (key: KeyJson): string[] => [
  key.id,
  key.name,
  `${key.prefix}…${key.last_four}`,
  key.state,
  key.created_at?.slice(0, 10) ?? '',
  key.expires_at?.slice(0, 10) ?? 'never',
]
