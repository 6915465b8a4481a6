import type { OrganisationJson } from '../control/control-suspensions.ts'
import { type Command, jsonOption } from './command.ts'
import { withControl } from './control-access.ts'
import { renderTable } from './table.ts'

export const organisationsList: Command = {
  name: 'organisations list',
  summary: 'List the organisations, with the number of members and keys in each.',
  options: jsonOption,
  async run({ config, options, terminal }) {
    const { data } = await withControl(config, (control) => control.listOrganisations())
    terminal.out(options.json === true ? `${JSON.stringify(data)}\n` : renderTable(head, data.map(row), figures))
    return 0
  },
}

const head = ['ID', 'NAME', 'STATE', 'MEMBERS', 'KEYS', 'CREATED']
const figures = [3, 4]

const row = (organisation: OrganisationJson): string[] => [
  organisation.id,
  organisation.name,
  organisation.suspended_at === null ? 'active' : 'suspended',
  String(organisation.members),
  String(organisation.keys),
  organisation.created_at.slice(0, 10),
]
