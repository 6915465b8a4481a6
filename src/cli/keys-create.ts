import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withKeyAccess } from './key-access.ts'

const dayMs = 86_400_000

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Make an API key. It is shown this once.',
  options: {
    name: { type: 'string', placeholder: 'NAME', text: 'What the key is for; needed.' },
    'expires-in-days': { type: 'string', placeholder: 'DAYS', text: 'When it stops working; never unless given.' },
    ...jsonOption,
  },
  async run({ config, options, terminal }) {
    if (typeof options.name !== 'string') throw new UsageError("'helix keys create' needs --name NAME")
    const { name } = options
    const expiresAtMs = expiry(options['expires-in-days'])
    const created = await withKeyAccess(config, (keys) => keys.create(name, expiresAtMs))
    if (options.json === true) {
      terminal.out(`${JSON.stringify(created)}\n`)
      return 0
    }
    terminal.err(
      `Made key '${created.name}' (${created.id}) in ${resolve(config.dataDir)}. Its secret is printed once, now:\n`,
    )
    terminal.out(`${created.key}\n`)
    return 0
  },
}

const expiry = (days: unknown): number | null => {
  if (days === undefined) return null
  const count = Number(days)
  if (!(count > 0 && count <= 36_500)) throw new UsageError('--expires-in-days takes a number from 1 to 36500')
  return Math.round(systemClock.now() + count * dayMs)
}
