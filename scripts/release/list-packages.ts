import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of npm that a release contains: installed, or as a part of the site's scripts, styles and fonts. */
export type ReleasePackage = {
  name: string
  version: string
  license: string
  /** `sha512-…`, as the lockfile has it. */
  integrity: string
  /** The folder it is installed in: `node_modules/pg`. */
  path: string
  isOfSite: boolean
}

type LockedPackage = {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  os?: string[]
  cpu?: string[]
  dependencies?: Record<string, string>
}
type Lock = Readonly<Record<string, LockedPackage>>

/** Sorted by path, from the lockfile: the same on every machine. */
export const listPackages = (root: string, { os, cpu }: { os: string; cpu: string }): ReleasePackage[] => {
  const { packages: lock }: { packages: Lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isFor = ({ os: systems = [os], cpu: processors = [cpu] }: LockedPackage): boolean =>
    systems.includes(os) && processors.includes(cpu)
  const installed = Object.entries(lock).filter(([path, locked]) => path !== '' && locked.dev !== true && isFor(locked))
  const ofServer = installed.map(([path]) => path)
  const ofSite = sitePackages(root, lock).filter((path) => !ofServer.includes(path))
  const describe = (path: string, isOfSite: boolean): ReleasePackage => {
    const { version = '', license = '', integrity = '' } = lock[path] ?? {}
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return { name, version, license, integrity, path, isOfSite }
  }
  return [...ofServer.map((path) => describe(path, false)), ...ofSite.map((path) => describe(path, true))].sort(
    (one, other) => (one.path < other.path ? -1 : 1),
  )
}

/** What the site's sources import, and what these need. */
const sitePackages = (root: string, lock: Lock): string[] => {
  const files = globSync('site/{app,public-pages,platform,preferences,words,styles}/**/*.{ts,tsx,css}', { cwd: root })
  const texts = files.filter((file) => !file.includes('.test.')).map((file) => readFileSync(join(root, file), 'utf8'))
  const imported = texts.flatMap((text) => [...text.matchAll(bareImport)].map(([, name = '']) => name))
  const found = new Set(imported.map((name) => `node_modules/${name}`).filter((path) => path in lock))
  for (const path of found)
    for (const name of Object.keys(lock[path]?.dependencies ?? {})) {
      const own = `${path}/node_modules/${name}`
      found.add(own in lock ? own : `node_modules/${name}`)
    }
  return [...found].filter((path) => path in lock)
}

const bareImport = /(?:from|import|url\()\s*\(?['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)[^'"]*['"]/g
