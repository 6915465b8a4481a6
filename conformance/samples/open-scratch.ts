import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { type Outcome, runCommand } from '../run-command.ts'
import type { Step } from '../suites.ts'

type Settings = {
  name: string
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

const sampleLimitMs = 2 * 60_000

/** A folder to build and run programs in. */
export const openScratch = async ({ name, environment, signal }: Settings) => {
  const folder = await mkdtemp(join(tmpdir(), `helix-samples-${name}-`))
  const run = ([program, ...args]: Step, key: string, limits?: { limitMs: number }): Promise<Outcome> =>
    runCommand({
      program: program.includes('/') && !isAbsolute(program) ? join(folder, program) : program,
      ...{ args, folder, shown: false, signal, ...limits },
      // The registries may need a proxy; the service is local.
      environment: { ...environment, HELIX_API_KEY: key, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    })
  return {
    async write(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
    },
    /** Runs steps until one fails, and says which and why; null if none does. */
    async firstFailure(steps: readonly Step[]): Promise<string | null> {
      for (const step of steps) {
        const outcome = await run(step, '')
        if (outcome.missing) return `there is no ${step[0]} on this machine`
        if (outcome.code !== 0) return `\`${step.join(' ')}\` failed:\n${outcome.output.trim()}`
      }
      return null
    },
    runSample: (step: Step, key: string): Promise<Outcome> => run(step, key, { limitMs: sampleLimitMs }),
    close: (): Promise<void> => rm(folder, { recursive: true, force: true }),
  }
}
