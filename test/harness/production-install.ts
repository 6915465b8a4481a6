import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildServer } from '../../scripts/build/build-server.ts'
import { builtSiteFolder } from './built-site.ts'
import { repository } from './run-program.ts'
import { scratchPath } from './scratch-path.ts'

/**
 * What a release contains, without the model: the built server and pages, the manifest and the production packages of this
 * machine. Nobody but root can write to it. Returns the path of its `helix`.
 */
export const installBuilt = async (): Promise<string> => {
  const place = scratchPath()
  // Temporary folders are private to the user who runs the tests.
  chmodSync(place, 0o755)
  const root = join(place, 'helix')
  await buildServer(repository, root)
  for (const file of ['helix', 'package.json']) cpSync(join(repository, file), join(root, file))
  cpSync(await builtSiteFolder(), join(root, 'dist/site/built'), { recursive: true })
  for (const path of productionPackages()) copyPackage(path, root)
  const bin = join(root, 'node_modules/.bin')
  mkdirSync(bin)
  cpSync(join(repository, 'node_modules/.bin/node'), join(bin, 'node'), { verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX,go-w', join(root, 'src'), join(root, 'languages'), join(root, 'dist')])
  execFileSync('find', [root, '-type', 'd', '-exec', 'chmod', '555', '{}', '+'])
  return join(root, 'helix')
}

/** `npm ci --omit=dev` installs these here, as paths such as `node_modules/pg`. */
const productionPackages = (): string[] => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(repository, 'package-lock.json'), 'utf8'),
  )
  const isInstalled = ([path, locked]: [string, LockedPackage]): boolean =>
    // A package that is inside another one is copied with it.
    path.lastIndexOf('node_modules/') === 0 &&
    locked.dev !== true &&
    (locked.os?.includes(process.platform) ?? true) &&
    (locked.cpu?.includes(process.arch) ?? true)
  return Object.entries(packages)
    .filter(isInstalled)
    .map(([path]) => path)
}

type LockedPackage = { dev?: boolean; os?: string[]; cpu?: string[] }

/** Files are linked where the file system allows it: the packages are large. */
const copyPackage = (path: string, root: string): void => {
  const entries = readdirSync(join(repository, path), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const copy = join(root, file.slice(repository.length))
    mkdirSync(dirname(copy), { recursive: true })
    try {
      linkSync(file, copy)
    } catch {
      cpSync(file, copy)
    }
  }
}
