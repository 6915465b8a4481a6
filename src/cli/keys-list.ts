import { isCostLimit, limitKinds, limitNames } from '../config/limit-kinds.ts'
import type { KeyJson } from '../control/control-keys.ts'
import { decimalAmount } from '../prices/decimal-amount.ts'
import { type Command, jsonOption } from './command.ts'
import { withControl } from './control-access.ts'
import { renderTable } from './table.ts'

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys, without their secrets.',
  options: jsonOption,
  async run({ config, options, terminal }) {
    const { data: keys } = await withControl(config, (control) => control.listKeys())
    if (options.json === true) terminal.out(`${JSON.stringify(keys)}\n`)
    else if (keys.length === 0) terminal.out("No keys yet. To create one, run 'helix keys create --name NAME'.\n")
    else terminal.out(renderTable(head, keys.map(row)))
    return 0
  },
}

const head = ['ID', 'NAME', 'KEY', 'STATE', 'LAST USED', 'SCOPES', 'LIMITS', 'CREATED', 'EXPIRES']

const row = (key: KeyJson): string[] => [
  key.id,
  key.name,
  `${key.prefix}…${key.last_four}`,
  key.state,
  minute(key.last_used_at) ?? 'never',
  // Every scope except `manage` and `metrics`, which cannot be combined with others.
  key.scopes.length === 4 ? 'all' : key.scopes.join(','),
  limitsText(key),
  day(key.created_at) ?? '',
  day(key.expires_at) ?? 'never',
]

const day = (time: string | null): string | undefined => time?.slice(0, 10)
const minute = (time: string | null): string | undefined => time?.slice(0, 16).replace('T', ' ')

const limitsText = ({ limits, models, networks }: KeyJson): string => {
  const parts = limitNames.flatMap((name) => {
    const { wireName, shortText } = limitKinds[name]
    const limit = limits[wireName]
    if (limit === null) return []
    return [`${isCostLimit(name) ? decimalAmount(limit) : limit} ${shortText}`]
  })
  for (const list of [models, networks]) if (list !== null) parts.push(list.join(' '))
  return parts.length === 0 ? '-' : parts.join(', ')
}
