import { type UsageGroup, usageGroups } from '../usage/summarise.ts'
import { type Command, jsonOption, type OptionValue, UsageError } from './command.ts'
import { withControl } from './control-access.ts'
import { renderDifferences, renderUsage } from './usage-table.ts'

export const usage: Command = {
  name: 'usage',
  summary: 'Show requests, tokens and costs by day, key or model.',
  options: {
    from: {
      type: 'string',
      placeholder: 'DAY',
      text: 'First day, for example 2026-11-01 (default: first day of this month).',
    },
    to: { type: 'string', placeholder: 'DAY', text: 'Last day (default: today).' },
    by: { type: 'string', placeholder: 'WHAT', text: 'Group by day, key or model (default: day).' },
    verify: { type: 'boolean', text: 'Recalculate all totals from the ledger and report any differences.' },
    ...jsonOption,
  },
  note: 'Days follow the configured time zone. --verify exits with code 1 if any total is wrong.',
  async run({ config, options, terminal }) {
    const isJson = options.json === true
    if (options.verify === true) {
      const verified = await withControl(config, (control) => control.verifyUsage())
      if (isJson) terminal.out(`${JSON.stringify(verified)}\n`)
      else terminal.out(renderDifferences(verified))
      return verified.differences.length === 0 ? 0 : 1
    }
    const { from, to } = options
    const by = readGroup(options.by)
    const asked = {
      by,
      ...(typeof from === 'string' ? { from } : {}),
      ...(typeof to === 'string' ? { to } : {}),
    }
    await withControl(config, async (control) => {
      const shown = await control.showUsage({ query: asked })
      if (isJson) return terminal.out(`${JSON.stringify(shown)}\n`)
      const keys = by === 'key' ? (await control.listKeys()).data : []
      terminal.out(renderUsage(shown, new Map(keys.map(({ id, name }) => [id, name]))))
    })
    return 0
  },
}

const readGroup = (by: OptionValue = 'day'): UsageGroup => {
  const group = usageGroups.find((each) => each === by)
  if (group === undefined) throw new UsageError(`--by must be one of ${usageGroups.join(', ')}, not '${by}'`)
  return group
}
