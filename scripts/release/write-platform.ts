import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeComponents } from './describe-components.ts'
import { installPackages } from './install-packages.ts'
import { linkTree, replaceFile } from './link-tree.ts'
import { listPackages, type ReleasePackage } from './list-packages.ts'
import { npmFile, stageModel, stagePlatform, stageProgram } from './npm-packages.ts'
import type { LinuxPlatform, Platform } from './platforms.ts'
import { modelFolder, sbomName, stageRelease } from './stage-release.ts'
import { writeArchive } from './write-archive.ts'
import { debianVersion, writeDebianPackage } from './write-debian-package.ts'

type PlatformOptions<Of extends Platform = Platform> = {
  root: string
  /** The built site. */
  site: string
  /** The folder of the release. */
  target: string
  /** An empty folder on the same disk. */
  scratch: string
  cache: string
  version: string
  commit: string
  /** Of every file, in seconds since 1970. */
  modifiedAt: number
  platform: Of
  /** Whether to write the packages of npm that are the same for all platforms. */
  withCommonPackages: boolean
}
/** Names of files, and their SHA-256. */
type Sums = [file: string, sum: string][]

/**
 * The archives, the Debian package, the bills of materials and the packages of npm for one platform. Archives are written at the
 * same time: compressing takes most of the time, and keeps one core busy for each.
 */
export const writePlatform = async (options: PlatformOptions): Promise<Sums> => {
  mkdirSync(options.scratch, { recursive: true })
  const { platform } = options
  const sums = await (platform.os === 'linux'
    ? writeLinux({ ...options, platform })
    : writeMac(options, join(options.scratch, 'tree')))
  rmSync(options.scratch, { recursive: true })
  return sums
}

const writeMac = async (options: PlatformOptions, tree: string): Promise<Sums> => {
  await installPackages(options.root, options.platform, tree)
  return [await writeOne(options, await stagePlatformPackage(options, tree))]
}

const writeLinux = async (options: PlatformOptions<LinuxPlatform>): Promise<Sums> => {
  const { target, scratch, version, platform } = options
  const name = `helix-${version}-${platform.name}`
  const folders = ['without-model', 'npm', 'debian', '.'].map((each) => join(scratch, each, name))
  const [withoutModel = '', npm = '', debian = '', tree = ''] = folders
  await stageRelease({ ...options, folder: tree })
  const packages = listPackages(options.root, platform)
  for (const copy of [withoutModel, npm, debian]) {
    mkdirSync(dirname(copy), { recursive: true })
    await linkTree(tree, copy)
  }
  const boms = [[tree, debian], [withoutModel]].map((copies, index): Sums[number] => {
    const hasModel = index === 0
    const sbom = writeSbom(options, packages, hasModel)
    for (const folder of copies) replaceFile(join(folder, sbomName), sbom)
    const file = `${name}${hasModel ? '' : '-without-model'}.cdx.json`
    writeFileSync(join(target, file), sbom)
    return [file, createHash('sha256').update(sbom).digest('hex')]
  })
  const archives = [
    { file: `${name}.tar.gz`, folder: tree },
    { file: `${name}-without-model.tar.gz`, folder: withoutModel, without: [modelFolder] },
    await stagePlatformPackage(options, npm),
    ...(options.withCommonPackages ? await stageCommonPackages(options, npm) : []),
  ]
  // From here on no file gets or loses a link: tar would take that for a change.
  const written = [writeDebian(options, debian), ...archives.map((each) => writeOne(options, each))]
  return [...boms, ...(await Promise.all(written))]
}

const writeDebian = async (options: PlatformOptions<LinuxPlatform>, folder: string): Promise<Sums[number]> => {
  const { root, target, version, modifiedAt, platform } = options
  const { debian } = platform
  const file = `helix_${debianVersion(version)}_${debian}.deb`
  const places = { folder, scratch: join(options.scratch, 'debian-package'), target: join(target, file) }
  return [file, await writeDebianPackage({ root, ...places, version, debian, modifiedAt })]
}

const stagePlatformPackage = async (options: PlatformOptions, tree: string): Promise<Archive> => {
  const { platform, scratch, version } = options
  const folder = join(scratch, 'npm-platform/package')
  await stagePlatform({ ...npmOptions(options, tree), platform, folder })
  return { file: npmFile(platform.name, version), folder }
}

const stageCommonPackages = async (options: PlatformOptions, tree: string): Promise<Archive[]> => {
  const { scratch, version } = options
  const [program, model] = [join(scratch, 'npm-program/package'), join(scratch, 'npm-model/package')]
  await stageProgram({ ...npmOptions(options, tree), folder: program })
  stageModel(tree, model, version)
  return [
    { file: npmFile('', version), folder: program },
    { file: npmFile('model', version), folder: model },
  ]
}

const npmOptions = (options: PlatformOptions, tree: string) => ({
  ...{ root: options.root, tree, version: options.version },
  packages: listPackages(options.root, options.platform),
  writeSbom: (packages: readonly ReleasePackage[]) => writeSbom(options, packages, false),
})

const writeSbom = (options: PlatformOptions, packages: readonly ReleasePackage[], hasModel: boolean): string => {
  const { platform } = options
  // Node comes with the libraries that it needs.
  const hasLibraries = platform.os === 'linux' && packages.some(({ name }) => name.startsWith('node-linux-'))
  const debian = hasLibraries ? platform.debian : null
  return `${JSON.stringify(describeComponents({ ...options, packages, debian, hasModel }), null, 1)}\n`
}

type Archive = { file: string; folder: string; without?: readonly string[] }
const writeOne = async (options: PlatformOptions, { file, ...content }: Archive): Promise<Sums[number]> => [
  file,
  await writeArchive({ ...content, target: join(options.target, file), modifiedAt: options.modifiedAt }),
]
