import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { type Command, jsonOption, readListOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { limitOptions, readLimitOptions } from './limit-options.ts'
import { printSecret } from './print-secret.ts'
import { readExpiry } from './read-expiry.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key. The secret is shown only once.',
  options: {
    name: { type: 'string', placeholder: 'NAME', text: 'Name of the key (required).' },
    expires: {
      type: 'string',
      placeholder: 'WHEN',
      text: 'Last valid day (2026-12-31) or lifetime (30d, 12h); default: never.',
    },
    ...limitOptions,
    scopes: {
      type: 'string',
      placeholder: 'LIST',
      text: 'Scopes: any of chat, models, completions.read, completions.write (default: all four), or manage or metrics on its own.',
    },
    models: { type: 'string', placeholder: 'LIST', text: 'Models the key can use (default: all).' },
    cidr: {
      type: 'string',
      placeholder: 'LIST',
      text: 'IP addresses and CIDR ranges the key can be used from, for example 10.0.0.0/8,2001:db8::/32 (default: any).',
    },
    ...jsonOption,
  },
  note: 'Separate the items of a LIST with commas. Organisation and server limits apply in addition to those of the key; the strictest limit takes effect.',
  async run({ config, options, terminal }) {
    if (typeof options.name !== 'string') throw new UsageError("'helix keys create' requires --name NAME")
    const { name, expires } = options
    const [scopes, models, networks] = [options.scopes, options.models, options.cidr].map(readListOption)
    const wanted = {
      name,
      limits: readLimitOptions(options),
      ...(scopes === undefined ? {} : { scopes }),
      ...(models === undefined ? {} : { models }),
      ...(networks === undefined ? {} : { networks }),
      ...(typeof expires === 'string' ? { expiresAt: readExpiry(expires, systemClock.now(), config.timeZone) } : {}),
    }
    const created = await withControl(config, (control) => control.createKey({ body: wanted }))
    printSecret(
      { terminal, options },
      created,
      `Created key '${created.name}' (${created.id}) for the server with the data directory ${resolve(config.dataDir)}.`,
    )
    return 0
  },
}
