import { systemClock } from '../../src/base/clock.ts'
import { commands as shortCommands } from '../../src/cli/commands.ts'
import { createEngineCommand } from '../../src/cli/engine-command.ts'
import { createGpuInstallCommand } from '../../src/cli/gpu-install.ts'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { createServeCommand } from '../../src/cli/serve-command.ts'
import { keepOneClock } from './one-clock.ts'
import type { Ended } from './run-program.ts'

const notHere = async (): Promise<never> => {
  throw new Error('startProgram starts servers')
}

/** Those of `./helix`, in the order of its help. */
export const programCommands = [
  createServeCommand(notHere, ''),
  createEngineCommand(notHere, ''),
  createGpuInstallCommand(''),
  ...shortCommands,
]

/**
 * What `runProgram` does, in this process: a start of `./helix` costs as much as twenty commands. For commands that end by
 * themselves, name their data directory and read no standard input.
 */
export const runCommand = async (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> => {
  const dataDir = args[args.indexOf('--data-dir') + 1]
  if (args.includes('--data-dir') && dataDir !== undefined) keepOneClock(dataDir, systemClock)
  const written = { stdout: '', stderr: '' }
  const code = await runCommandLine({
    argv: args,
    commands: programCommands,
    terminal: {
      out: (text) => {
        written.stdout += text
      },
      err: (text) => {
        written.stderr += text
      },
    },
    sources: { environment: env, configFile: null },
  })
  return { code, ...written }
}
