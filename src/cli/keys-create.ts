import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { limitOptions, readLimitOptions } from './limit-options.ts'
import { readListOption } from './list-option.ts'
import { printSecret } from './print-secret.ts'
import { readExpiry } from './read-expiry.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Make an API key. It is shown this once.',
  options: {
    name: { type: 'string', placeholder: 'NAME', text: 'What the key is for; needed.' },
    expires: {
      type: 'string',
      placeholder: 'WHEN',
      text: 'Its last day (2026-12-31), or after how long it ends (30d, 12h); never unless given.',
    },
    ...limitOptions,
    scopes: {
      type: 'string',
      placeholder: 'LIST',
      text: 'What it opens: chat, models, completions.read, completions.write (all of these unless given), or manage alone.',
    },
    models: { type: 'string', placeholder: 'LIST', text: 'Models it may use; all unless given.' },
    cidr: {
      type: 'string',
      placeholder: 'LIST',
      text: 'Addresses and networks it may be used from, as 10.0.0.0/8,2001:db8::/32; all unless given.',
    },
    ...jsonOption,
  },
  note: 'A LIST is separated by commas. The limits of the organisation and of the server hold beside those of the key: the narrowest wins.',
  async run({ config, options, terminal }) {
    if (typeof options.name !== 'string') throw new UsageError("'helix keys create' needs --name NAME")
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
    const created = await withControl(config, (control) => control.createKey(wanted))
    printSecret(
      { terminal, options },
      created,
      `Made key '${created.name}' (${created.id}) in ${resolve(config.dataDir)}.`,
    )
    return 0
  },
}
