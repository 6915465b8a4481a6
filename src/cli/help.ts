import { flagName, flagSettingNames, settings } from '../config/settings.ts'
import type { Command } from './command.ts'

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

export const programHelp = (
  commands: readonly Command[],
  version: string,
): string => `Helix ${version}: a chat-completions provider in a box

Usage: helix COMMAND [OPTIONS]

${columns(commands.map(({ name, summary }) => [name, summary]))}

  helix COMMAND --help  Show help for a command.
  helix --version       Show the version.
`

export const commandHelp = (command: Command): string => {
  const own = Object.entries(command.options).map(
    ([name, { placeholder, text }]) => [`--${name}${placeholder ? ` ${placeholder}` : ''}`, text] as const,
  )
  const common = [
    ['--config PATH', 'Settings file (default: helix.config.json).'],
    ['--help', 'Show this help.'],
  ] as const
  const settingsHelp =
    command.name === 'serve'
      ? `\nSettings (also available as HELIX_… environment variables; see docs/config.md):\n${columns(
          flagSettingNames.map((name) => [`--${flagName(name)}`, settings[name].text] as const),
        )}\n`
      : '\nSettings from docs/config.md are also accepted as options, for example --data-dir PATH.\n'
  return `${command.summary}

Usage: helix ${command.name}${command.positionals ? ` ${command.positionals}` : ''} [OPTIONS]

${columns([...own, ...common])}
${command.note ? `\n${command.note}\n` : ''}${settingsHelp}`
}
