import { cpSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collectLicences } from './collect-licences.ts'
import { linkTree, replaceFile } from './link-tree.ts'
import type { ReleasePackage } from './list-packages.ts'
import { macPlatforms, type Platform, platforms } from './platforms.ts'
import { licencesName, modelFolder, sbomName } from './stage-release.ts'

/**
 * The packages of npm, which together contain what an archive contains: the program, the parts for each platform, and the model. The program is in
 * `app/`, with its packages in `app/node_modules/`: npm does not look there, so nothing is resolved, downloaded or run when it is installed.
 * `helix` finds the parts beside or below itself, and puts their `packages/` on the path of modules.
 */
export const npmScope = '@helix-server'

type PackageOptions = {
  root: string
  /** Of one platform. */
  tree: string
  /** The content of the package is written to this folder, which must not exist. */
  folder: string
  version: string
  packages: readonly ReleasePackage[]
  writeSbom(packages: readonly ReleasePackage[]): string
}

/** The same for all platforms. */
export const stageProgram = async (options: PackageOptions): Promise<void> => {
  const { root, tree, folder, version, writeSbom } = options
  const app = join(folder, 'app')
  mkdirSync(folder, { recursive: true })
  await linkTree(tree, app)
  const left = [...nativePackages, modelFolder, 'system-libraries', 'node_modules/{.bin,.package-lock.json}']
  for (const path of left.flatMap((each) => globSync(each, { cwd: app }))) rmSync(join(app, path), { recursive: true })
  const packages = options.packages.filter((each) => !isNative(each))
  replaceFile(join(app, licencesName), licencesOf(root, tree, packages))
  replaceFile(join(app, sbomName), writeSbom(packages))
  const parts = [...[...platforms, ...macPlatforms].map(({ name }) => name), 'model']
  writeManifest(folder, {
    ...describe('', version),
    ...{ bin: { helix: 'app/helix' }, os: ['linux', 'darwin'], engines: { node: '>=20' } },
    optionalDependencies: Object.fromEntries(parts.map((part) => [npmName(part), version])),
  })
  for (const file of ['LICENSE', 'README.md']) cpSync(join(root, file), join(folder, file))
}

export const stagePlatform = async (options: PackageOptions & { platform: Platform }): Promise<void> => {
  const { root, tree, folder, version, platform, writeSbom } = options
  const packages = options.packages.filter(isNative)
  for (const { path } of packages) {
    const copy = join(folder, path.replace('node_modules', 'packages'))
    mkdirSync(dirname(copy), { recursive: true })
    await linkTree(join(tree, path), copy)
  }
  if (platform.os === 'linux') await linkTree(join(tree, 'system-libraries'), join(folder, 'system-libraries'))
  writeFileSync(join(folder, licencesName), licencesOf(root, tree, packages))
  writeFileSync(join(folder, sbomName), writeSbom(packages))
  const { os, cpu } = platform
  const libc = os === 'linux' ? { libc: ['glibc'] } : {}
  writeManifest(folder, { ...describe(platform.name, version), os: [os], cpu: [cpu], ...libc })
}

/** The files of the model are moved to the package. */
export const stageModel = (tree: string, folder: string, version: string): void => {
  mkdirSync(folder, { recursive: true })
  renameSync(join(tree, modelFolder), join(folder, 'packages'))
  writeManifest(folder, describe('model', version))
}

/** As npm itself would name it. */
export const npmFile = (part: string, version: string): string =>
  `${npmName(part).slice(1).replace('/', '-')}-${version}.tgz`

const npmName = (part: string): string => `${npmScope}/helix${part === '' ? '' : `-${part}`}`

/** Their content depends on the platform. */
const nativePackages = ['node_modules/node-linux-*', 'node_modules/@node-llama-cpp', 'node_modules/@koromix']
const isNative = ({ path }: ReleasePackage): boolean =>
  /^node_modules\/(node-linux-|@node-llama-cpp\/|@koromix\/)/.test(path)

const licencesOf = (root: string, tree: string, packages: readonly ReleasePackage[]): string =>
  collectLicences(packages, ({ path, isOfSite }) => join(isOfSite ? root : tree, path))

const describe = (part: string, version: string): object => ({
  name: npmName(part),
  version,
  description:
    part === '' ? 'A chat-completions provider in a box' : `Part of ${npmScope}/helix, which installs it: ${part}`,
  license: 'Apache-2.0',
  publishConfig: { access: 'public' },
})

const writeManifest = (folder: string, manifest: object): void =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
