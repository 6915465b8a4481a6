import type { LimitsShown } from '../control/control-limits.ts'
import { decimalAmount } from '../prices/decimal-amount.ts'
import { type Command, jsonOption, type Terminal, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { renderTable } from './table.ts'

export const limitsShow: Command = {
  name: 'limits show',
  summary: 'Show the limits that apply to a key or an organisation, and their current usage.',
  positionals: 'KEY',
  options: jsonOption,
  note: 'KEY is the ID of a key, its name if it is unique, or the ID of an organisation.',
  async run({ config, options, positionals, terminal }) {
    const [subject] = positionals
    if (subject === undefined || positionals.length > 1) throw new UsageError("'helix limits show' requires one KEY")
    const shown = await withControl(config, (control) => control.showLimits({ params: { subject } }))
    printLimits({ terminal, json: options.json === true, currency: config.currency }, shown)
    return 0
  },
}

type Printing = { terminal: Terminal; json: boolean; currency: string }

export const printLimits = ({ terminal, json, currency }: Printing, shown: LimitsShown): void => {
  if (json) {
    terminal.out(`${JSON.stringify(shown)}\n`)
    return
  }
  const { key, organisation, limit_use } = shown
  const owner = `organisation '${organisation.name}' (${organisation.id})`
  terminal.out(
    key === null
      ? `Limits for ${owner}:\n\n`
      : `Limits for key '${key.name}' (${key.id}, ${key.state}) in ${owner}:\n\n`,
  )
  const rows = limit_use.map(({ scope, name, limit, used, remaining, resets_at }) => [
    scope,
    name.replace(/_micros$/, '').replaceAll('_', ' '),
    ...[limit, used, remaining].map((value) =>
      name.endsWith('_micros') ? `${decimalAmount(value)} ${currency}` : String(value),
    ),
    resets_at === null ? 'when running requests finish' : used === 0 ? '-' : resets_at.slice(0, 19).replace('T', ' '),
  ])
  if (rows.length === 0) terminal.out('No limits apply.\n')
  else terminal.out(renderTable(['SCOPE', 'LIMIT', 'MAXIMUM', 'USED', 'REMAINING', 'RESETS AT (UTC)'], rows, [2, 3, 4]))
}
