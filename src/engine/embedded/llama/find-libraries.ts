import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ModelRefused } from '../../model-refused.ts'

type LibraryOptions = {
  /** The `node_modules` folders to search, nearest first. */
  paths: readonly string[]
  /** As in the names of the packages, for example `linux-x64` or `mac-arm64`. */
  platform: string
  gpu: boolean
}

export type Libraries = {
  /** The name of the package that they are from. */
  package: string
  folder: string
  ggml: string
  llama: string
  /** The library by which they use a GPU; null if they cannot. */
  gpu: string | null
}

/** Order of preference. On Macs there is one package, which can use Metal. */
const gpuKinds = ['cuda', 'vulkan', 'metal']

/** llama.cpp in node-llama-cpp's platform packages: one for the GPU if wanted and installed, else the plain one. */
export const findLibraries = ({ paths, platform, gpu }: LibraryOptions): Libraries => {
  const withGpu = gpuKinds.map((kind) => `${platform}-${kind}`)
  const names = gpu ? [...withGpu, platform] : [platform, `${platform}-metal`]
  for (const name of names) {
    const folder = folderOf(name, paths)
    if (folder === undefined) continue
    const kind = gpuKinds[withGpu.indexOf(name)]
    const backend = kind === undefined ? null : join(folder, `libggml-${kind}.so`)
    return { package: packageOf(name), folder, ...libraryFiles(folder), gpu: backend }
  }
  throw new ModelRefused(
    `There is no llama.cpp for ${platform}: the package @node-llama-cpp/${platform} is not installed.`,
  )
}

/** The packages with which the engine could use a GPU if it was told to; on Macs the only one is not counted. */
export const findGpuPackages = ({ paths, platform }: Omit<LibraryOptions, 'gpu'>): string[] =>
  gpuKinds
    .filter((kind) => kind !== 'metal')
    .map((kind) => `${platform}-${kind}`)
    .filter((name) => folderOf(name, paths) !== undefined)
    .map(packageOf)

const packageOf = (name: string): string => `@node-llama-cpp/${name}`

/** A package that the overrides in package.json emptied has none. */
const folderOf = (name: string, paths: readonly string[]): string | undefined =>
  paths.map((path) => join(path, packageOf(name), 'bins', name)).find((folder) => existsSync(folder))

/** The names contain the kind and the version: `libllama.v0.4.0.so`, `libllama.cuda.v0.4.0.so`. */
const libraryFiles = (folder: string): { ggml: string; llama: string } => {
  const files = readdirSync(folder)
  const pathOf = (name: string): string => {
    const pattern = new RegExp(`^lib${name}(\\.[a-z]+)?(\\.v[\\d.]+)?\\.(so|dylib)$`)
    const file = files.find((entry) => pattern.test(entry))
    if (file === undefined) throw new ModelRefused(`${folder} does not contain lib${name}: run npm ci again.`)
    return join(folder, file)
  }
  return { ggml: pathOf('ggml'), llama: pathOf('llama') }
}
