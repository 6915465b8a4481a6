import { execFile } from 'node:child_process'
import { mkdir, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { OperatorError } from '../base/operator-error.ts'
import { enginePackages } from '../engine/embedded/engine-packages.ts'
import { type Command, UsageError } from './command.ts'
import { readGpuFacts } from './gpu-facts.ts'
import { gpuObstacle, gpuPackageKinds } from './gpu-obstacle.ts'

const run = promisify(execFile)

/** `workerPath`: the entry file of the engine process. */
export const createGpuInstallCommand = (workerPath: string): Command => ({
  name: 'gpu install',
  summary: 'Install the libraries for a GPU into the data directory, and try them.',
  positionals: gpuPackageKinds.join('|'),
  options: {},
  note: 'Requires npm. One package at a time is installed: another one is replaced. Set HELIX_ENGINE_GPU=1 afterwards.',
  async run({ config, positionals, terminal }) {
    const kind = gpuPackageKinds.find((each) => each === positionals[0])
    if (kind === undefined || positionals.length > 1)
      throw new UsageError(`'helix gpu install' requires one of ${gpuPackageKinds.join(', ')}`)
    const obstacle = gpuObstacle(kind, await readGpuFacts())
    if (obstacle !== null) throw new OperatorError(`Nothing was installed: ${obstacle}.`)
    const { gpuPackageSpec } = await import('../engine/embedded/llama/llama-api.ts')
    const spec = gpuPackageSpec(kind)
    terminal.err(`Installing ${spec}…\n`)
    await install(spec, enginePackages(config.dataDir).folder)
    const { tryGpu } = await import('./gpu-trial.ts')
    const trial = await tryGpu(config, workerPath)
    if ('fault' in trial) {
      terminal.err(`helix: ${spec} is installed, but cannot be used: ${trial.fault}\n`)
      return 1
    }
    const next = config.engineGpu === false ? ' Set HELIX_ENGINE_GPU=1 to use it.' : ''
    terminal.out(`${trial.model} generated a token on ${trial.device}.${next}\n`)
    return 0
  },
})

/** Replaces what is installed only once the new package is there. */
const install = async (spec: string, folder: string): Promise<void> => {
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  const args = ['install', '--prefix', fresh, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', spec]
  try {
    await run('npm', args)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw new OperatorError(`npm could not install ${spec}: ${npmReason(error)}`)
  }
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}

const npmReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'there is no npm on this machine.'
  const lines = 'stderr' in error ? String(error.stderr).split('\n') : []
  return lines.find((line) => /^npm (error|ERR!) (?!code )/.test(line)) ?? error.message.split('\n')[0] ?? ''
}
