import { fileURLToPath } from 'node:url'
import { OperatorError } from './base/operator-error.ts'
import { fullVersion } from './base/version.ts'
import { type Terminal, UsageError } from './cli/command.ts'
import { commands as shortCommands } from './cli/commands.ts'
import { createEngineCommand, type ServeEngine } from './cli/engine-command.ts'
import { createGpuInstallCommand } from './cli/gpu-install.ts'
import { commandHelp, programHelp } from './cli/help.ts'
import { parseCommandLine } from './cli/parse-command-line.ts'
import { createServeCommand, type Serve } from './cli/serve-command.ts'
import { keepCompiledCode } from './config/keep-compiled-code.ts'
import { environment, loadConfig } from './config/load-config.ts'

/** The command line, to settings, to a command; nothing else. */
const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}

// Whoever read our output may leave, as in `helix serve | head`: that must not end a server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const workerPath = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
// The server is most of the program: only who starts it waits until it is read.
const serve: Serve = async (options) => {
  keepCompiledCode(options.config.dataDir)
  return (await import('./serve.ts')).serve(options)
}
const serveEngine: ServeEngine = async (options) => {
  keepCompiledCode(options.config.dataDir)
  return (await import('./serve/engine-node/serve-engine.ts')).serveEngine(options)
}
const commands = [
  createServeCommand(serve, workerPath),
  createEngineCommand(serveEngine, workerPath),
  createGpuInstallCommand(workerPath),
  ...shortCommands,
]

const run = async (argv: string[]): Promise<number> => {
  const line = parseCommandLine(argv, commands)
  if (line.kind === 'run') {
    const config = loadConfig({ flags: line.flags, environment: environment(), configFile: line.configFile })
    return line.command.run({ ...line, config, terminal })
  }
  if (line.kind === 'version') terminal.out(`${fullVersion}\n`)
  if (line.kind === 'program-help') terminal.out(programHelp(commands, fullVersion))
  if (line.kind === 'group-help') terminal.out(line.commands.map(commandHelp).join('\n'))
  if (line.kind === 'command-help') terminal.out(commandHelp(line.command))
  return 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof UsageError)) throw error
  terminal.err(`helix: ${error.message}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
