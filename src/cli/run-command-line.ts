import { OperatorError } from '../base/operator-error.ts'
import { fullVersion } from '../base/version.ts'
import { loadStartedConfig, type Sources } from '../config/load-config.ts'
import { type Command, type Terminal, UsageError } from './command.ts'
import { commandHelp, programHelp } from './help.ts'
import { parseCommandLine } from './parse-command-line.ts'

export type CommandLineOptions = {
  argv: readonly string[]
  commands: readonly Command[]
  terminal: Terminal
  /** Where settings come from beside the flags, and the file that a command line without `--config` uses. */
  sources: Omit<Sources, 'flags'>
}

/** The command line, to settings, to a command. Resolves to the exit code: 2 if the command line is invalid. */
export const runCommandLine = async (options: CommandLineOptions): Promise<number> => {
  try {
    return await run(options)
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof UsageError)) throw error
    options.terminal.err(`helix: ${error.message}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

const run = async ({ argv, commands, terminal, sources }: CommandLineOptions): Promise<number> => {
  const line = parseCommandLine(argv, commands)
  if (line.kind === 'run') {
    const configFile = line.configFile ?? sources.configFile
    const started = loadStartedConfig({ ...sources, flags: line.flags, configFile })
    return line.command.run({ ...line, ...started, terminal })
  }
  if (line.kind === 'version') terminal.out(`${fullVersion}\n`)
  if (line.kind === 'program-help') terminal.out(programHelp(commands, fullVersion))
  if (line.kind === 'group-help') terminal.out(line.commands.map(commandHelp).join('\n'))
  if (line.kind === 'command-help') terminal.out(commandHelp(line.command))
  return 0
}
