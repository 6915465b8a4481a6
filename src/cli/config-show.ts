import { describeConfig } from '../config/describe-config.ts'
import type { StartedConfig } from '../config/saved-settings.ts'
import { type Command, jsonOption } from './command.ts'
import { findServer, throughServer } from './control-access.ts'
import { renderTable } from './table.ts'

type Row = {
  name: string
  value: string | null
  is_set: boolean
  is_secret: boolean
  is_default: boolean
  source: string
  place: string | null
  needs_restart: boolean
  ignored_because: string | null
}

export const showConfig: Command = {
  name: 'config',
  summary: 'Print the settings in use and where each comes from, without secrets.',
  options: { ...jsonOption, all: { type: 'boolean', text: 'Also those that have their default.' } },
  note: 'Asks the running server. Without one, it prints what this command line, the environment and the file say, without what was saved in the console.',
  async run({ config, origins, options, terminal }) {
    const server = await findServer(config)
    const rows =
      server === null ? describeLocally({ config, origins }) : (await throughServer(server).listSettings()).data
    const shown = rows.filter(
      ({ source, is_default, ignored_because }) =>
        options.all === true || source !== 'default' || !is_default || ignored_because !== null,
    )
    terminal.out(options.json === true ? `${JSON.stringify(shown)}\n` : renderTable(head, shown.map(cells)))
    for (const { name, ignored_because } of shown)
      if (ignored_because !== null && options.json !== true)
        terminal.err(`The value of ${name} that was saved in the console is not used: ${ignored_because}\n`)
    return 0
  },
}

const head = ['SETTING', 'VALUE', 'FROM', 'NEEDS RESTART']

const cells = ({ name, value, is_set, is_secret, source, place, needs_restart }: Row): string[] => [
  name,
  is_secret ? (is_set ? '(set)' : '-') : (value ?? '-'),
  place ?? source,
  needs_restart ? 'yes' : 'no',
]

const describeLocally = ({ config, origins }: StartedConfig): Row[] =>
  describeConfig(config, origins).map((setting) => ({
    name: setting.name,
    value: setting.value,
    is_set: setting.isSet,
    is_secret: setting.isSecret,
    is_default: setting.isDefault,
    source: setting.source,
    place: setting.place,
    needs_restart: setting.editedIn === null,
    ignored_because: null,
  }))
