import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './run-program.ts'
import { scratchPath } from './scratch-path.ts'

const platform = `${process.platform}-${process.arch}`
const plainFolder = join(repository, 'node_modules/@node-llama-cpp', platform, 'bins', platform)
/** Those that every processor can run. */
const plainestBackend = /^libggml-cpu-(x64|armv8\.0_1)\.so$/

export const gpuPackage = `@node-llama-cpp/${platform}-cuda`

/**
 * A package for GPUs, as an operator installs it, but with the plain libraries. Its backend is missing, is no library, or is one
 * without a device of its own. Returns what has to be in the environment for it to be found.
 */
export const installGpuPackage = (
  backend: 'missing' | 'broken' | 'deviceless',
  kind: 'cuda' | 'vulkan' = 'cuda',
): Record<string, string> => {
  const modules = scratchPath()
  const name = `${platform}-${kind}`
  const folder = join(modules, '@node-llama-cpp', name, 'bins', name)
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(plainFolder)
  for (const file of files) symlinkSync(join(plainFolder, file), join(folder, file))
  const path = join(folder, `libggml-${kind}.so`)
  const plainest = files.find((file) => plainestBackend.test(file)) ?? ''
  if (backend === 'broken') writeFileSync(path, 'This is no library, but long enough to be one. '.repeat(100))
  if (backend === 'deviceless') symlinkSync(join(plainFolder, plainest), path)
  return { NODE_PATH: modules, HELIX_ENGINE_GPU: '1' }
}
