import { fileURLToPath } from 'node:url'
import type { Terminal } from './cli/command.ts'
import { commands as shortCommands } from './cli/commands.ts'
import { createEngineCommand, type ServeEngine } from './cli/engine-command.ts'
import { createGpuInstallCommand } from './cli/gpu-install.ts'
import { runCommandLine } from './cli/run-command-line.ts'
import { createServeCommand, type Serve } from './cli/serve-command.ts'
import { keepCompiledCode } from './config/keep-compiled-code.ts'
import { environment } from './config/load-config.ts'

/** The program: its commands, with the real server in those that start one, its output and its environment; nothing else. */
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

process.exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  commands,
  terminal,
  sources: { environment: environment() },
})
