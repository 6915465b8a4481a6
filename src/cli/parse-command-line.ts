import { parseArgs } from 'node:util'
import { errorMessage } from '../base/caught-error.ts'
import { flagName, flagSettingNames, type SettingName, settings } from '../config/settings.ts'
import { type Command, type OptionValue, UsageError } from './command.ts'

export type CommandLine =
  | { kind: 'program-help' }
  | { kind: 'version' }
  | { kind: 'group-help'; commands: Command[] }
  | { kind: 'command-help'; command: Command }
  | {
      kind: 'run'
      command: Command
      flags: Partial<Record<SettingName, string>>
      configFile: string | undefined
      options: Record<string, OptionValue>
      positionals: string[]
    }

/** Finds the command by its words, then parses its options and the settings passed as flags. */
export const parseCommandLine = (argv: readonly string[], commands: readonly Command[]): CommandLine => {
  const [first] = argv
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') return { kind: 'program-help' }
  if (first === '--version' || first === '-v') return { kind: 'version' }
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
  if (command === undefined) return groupHelp(argv, commands)
  const { values, positionals } = readArguments(command, argv.slice(command.name.split(' ').length))
  if (values.help === true) return { kind: 'command-help', command }
  if (positionals.length > 0 && command.positionals === undefined)
    throw new UsageError(`unexpected argument '${positionals[0]}' after 'helix ${command.name}'`)
  return {
    kind: 'run',
    command,
    flags: settingFlags(values),
    configFile: typeof values.config === 'string' ? values.config : undefined,
    options: Object.fromEntries(Object.keys(command.options).map((name) => [name, values[name]])),
    positionals,
  }
}

const readArguments = (command: Command, args: readonly string[]) => {
  const settingOptions = flagSettingNames.map((name) => {
    const type: 'boolean' | 'string' = 'isSwitch' in settings[name] ? 'boolean' : 'string'
    return [flagName(name), { type }] as const
  })
  const options = Object.fromEntries([
    ...settingOptions,
    ...Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const),
    ['config', { type: 'string' as const }] as const,
    ['help', { type: 'boolean' as const, short: 'h' }] as const,
  ])
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const values: Record<string, OptionValue> = {}
    for (const [name, value] of Object.entries(read.values)) if (!Array.isArray(value)) values[name] = value
    return { values, positionals: read.positionals }
  } catch (error) {
    const [line = ''] = errorMessage(error).split(/\.\s/)
    throw new UsageError(`${line}; see 'helix ${command.name} --help'`)
  }
}

const settingFlags = (values: Record<string, OptionValue>): Partial<Record<SettingName, string>> => {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of flagSettingNames) {
    const value = values[flagName(name)]
    if (value === true) flags[name] = '1'
    if (typeof value === 'string') flags[name] = value
  }
  return flags
}

/** `helix keys --help`, or an incomplete command: `helix keys`. */
const groupHelp = (argv: readonly string[], commands: readonly Command[]): CommandLine => {
  const [group, next] = argv
  const members = commands.filter(({ name }) => name.startsWith(`${group} `))
  if (members.length === 0) throw new UsageError(`unknown command '${group}'; to list all commands, run 'helix --help'`)
  if (next === '--help' || next === '-h') return { kind: 'group-help', commands: members }
  throw new UsageError(`choose one of: ${members.map(({ name }) => `helix ${name}`).join(', ')}`)
}
