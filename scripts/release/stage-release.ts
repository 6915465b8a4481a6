import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildServer } from '../build/build-server.ts'
import { collectLicences } from './collect-licences.ts'
import { copySystemLibraries } from './copy-system-libraries.ts'
import { installPackages } from './install-packages.ts'
import { listPackages } from './list-packages.ts'
import type { LinuxPlatform } from './platforms.ts'

/** Everything but the built server, `dist/site/` and `node_modules/` that a release contains. */
const ownFiles = [
  'helix',
  'package.json',
  'last-release.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'deploy',
]
/** Nothing at run time reads them. */
const unused = ['node_modules/node-linux-*/{include,share,CHANGELOG.md}', 'node_modules/@koromix/koffi-*/musl_*']

export const modelFolder = 'models'
/** Each archive and each package of npm has its own. */
export const licencesName = 'THIRD-PARTY-LICENCES.txt'
export const sbomName = 'sbom.cdx.json'

/** The files of the models: of weights only those that `model.json` lists, because a checkout may still have earlier ones. */
export const listModelFiles = (root: string): string[] =>
  globSync(`${modelFolder}/*/model.json`, { cwd: root }).flatMap((manifest) => {
    const { files }: { files: { name: string }[] } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    const weights = new Set(files.map(({ name }) => name))
    const all = globSync(`${dirname(manifest)}/*`, { cwd: root }).sort()
    return all.filter((path) => !path.endsWith('.gguf') || weights.has(basename(path)))
  })

type StageOptions = { root: string; site: string; platform: LinuxPlatform; folder: string; cache: string }

/** The tree of one platform in an empty folder, with the model. */
export const stageRelease = async (options: StageOptions): Promise<void> => {
  const { root, site, platform, folder, cache } = options
  await buildServer(root, folder)
  await installPackages(root, platform, folder)
  for (const path of [...ownFiles, ...listModelFiles(root)])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  const copy = join(folder, 'dist/site', site.slice(dirname(site).length + 1))
  cpSync(site, copy, { recursive: true })
  await copySystemLibraries(platform.debian, join(folder, 'system-libraries'), cache)
  for (const path of unused.flatMap((each) => globSync(each, { cwd: folder })))
    rmSync(join(folder, path), { recursive: true })
  const licences = collectLicences(listPackages(root, platform), ({ path, isOfSite }) =>
    join(isOfSite ? root : folder, path),
  )
  writeFileSync(join(folder, licencesName), licences)
}
