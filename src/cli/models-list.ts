import { type ModelRow, readModelRows, sizeText } from '../models/model-rows.ts'
import { type Command, jsonOption } from './command.ts'
import { findServer } from './control-access.ts'
import { readModelStates } from './model-states.ts'
import { renderTable } from './table.ts'

export const modelsList: Command = {
  name: 'models list',
  summary: 'List all models: those in the settings and those added or pulled.',
  options: jsonOption,
  note: 'STATE is reported by the running server; a dash means that it is not known.',
  async run({ config, options, terminal }) {
    const { rows } = await readModelRows(config)
    const states = await readModelStates(await findServer(config))
    const withState = rows.map((row) => ({ ...row, state: states.get(row.name) ?? null }))
    if (options.json === true) terminal.out(`${JSON.stringify(withState)}\n`)
    else {
      terminal.out(renderTable(head, withState.map(cells), sizeColumns))
      for (const { name, problem } of rows) if (problem !== null) terminal.err(`${name}: ${problem}\n`)
    }
    return 0
  },
}

const head = ['NAME', 'DEFAULT', 'KIND', 'SIZE', 'CONTEXT', 'STATE', 'ALIASES']
const sizeColumns = [3, 4]

const cells = (row: ModelRow & { state: string | null }): string[] => [
  row.name,
  row.default ? 'yes' : '',
  row.kind ?? '-',
  row.size_bytes === null ? '-' : sizeText(row.size_bytes),
  row.context_length === null ? '-' : String(row.context_length),
  row.problem === null ? (row.state ?? '-') : 'unusable',
  row.aliases.join(', '),
]
