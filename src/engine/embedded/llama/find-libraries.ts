import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ModelRefused } from '../../model-refused.ts'

type LibraryOptions = {
  /** The `node_modules` folders to search, nearest first. */
  paths: readonly string[]
  /** As in the names of the packages, for example `linux-x64` or `mac-arm64`. */
  platform: string
  gpu: boolean
  /** A folder with a build of llama.cpp to be used instead of the packages. */
  ownBuild?: string | null
}

export type Libraries = {
  /** The name of the package that they are from, or the folder of the operator's own build. */
  package: string
  isOwnBuild: boolean
  folder: string
  ggml: string
  llama: string
  /** The library by which they use a GPU; null if they cannot. */
  gpu: string | null
}

/** Order of preference. On Macs there is one package, which can use Metal. */
const gpuKinds = ['cuda', 'vulkan', 'metal']
/** There are no packages for these, but llama.cpp can be built for them. */
const ownBuildKinds = [...gpuKinds, 'hip', 'musa', 'sycl']

/**
 * llama.cpp in the operator's own build, or else in node-llama-cpp's platform packages: one for the GPU if wanted and installed,
 * else the plain one.
 */
export const findLibraries = ({ paths, platform, gpu, ownBuild = null }: LibraryOptions): Libraries => {
  if (ownBuild !== null) return findOwnBuild(ownBuild)
  const withGpu = gpuKinds.map((kind) => `${platform}-${kind}`)
  const names = gpu ? [...withGpu, platform] : [platform, `${platform}-metal`]
  for (const name of names) {
    const folder = findFolder(name, paths)
    if (folder === undefined) continue
    const kind = gpuKinds[withGpu.indexOf(name)]
    const backend = kind === undefined ? null : join(folder, `libggml-${kind}.so`)
    const files = libraryFiles(folder, 'run npm ci again')
    return { package: packageName(name), isOwnBuild: false, folder, ...files, gpu: backend }
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
    .filter((name) => findFolder(name, paths) !== undefined)
    .map(packageName)

const packageName = (name: string): string => `@node-llama-cpp/${name}`

/** A package that the overrides in package.json emptied has none. */
const findFolder = (name: string, paths: readonly string[]): string | undefined =>
  paths.map((path) => join(path, packageName(name), 'bins', name)).find((folder) => existsSync(folder))

const findOwnBuild = (folder: string): Libraries => {
  if (!existsSync(folder)) throw new ModelRefused(`engineLibraries: the folder ${folder} does not exist.`)
  const files = libraryFiles(folder, 'engineLibraries must be the folder with the libraries of a build of llama.cpp')
  const backend = ownBuildKinds.flatMap((kind) => findFile(folder, `ggml-${kind}`) ?? [])[0]
  return { package: folder, isOwnBuild: true, folder, ...files, gpu: backend ?? null }
}

/**
 * The names in packages contain the kind and the version: `libllama.v0.4.0.so`, `libllama.cuda.v0.4.0.so`. An own build has
 * `libllama.so`, or only `libllama.so.0` where the libraries were copied without their links.
 */
const findFile = (folder: string, name: string): string | undefined => {
  const pattern = new RegExp(`^lib${name}(\\.[a-z]+)?(\\.v[\\d.]+)?\\.(so|dylib)(\\.\\d+)*$`)
  const [file] = readdirSync(folder)
    .filter((entry) => pattern.test(entry))
    .sort((a, b) => a.length - b.length)
  return file === undefined ? undefined : join(folder, file)
}

const libraryFiles = (folder: string, remedy: string): { ggml: string; llama: string } => {
  const findLibrary = (name: string): string => {
    const file = findFile(folder, name)
    if (file === undefined) throw new ModelRefused(`${folder} does not contain lib${name}: ${remedy}.`)
    return file
  }
  return { ggml: findLibrary('ggml'), llama: findLibrary('llama') }
}
