import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/**
 * Every file that a build of the site reads, tests apart: the whole of `site/` and `languages/`, and from there along the import statements
 * into `src/` and `conformance/`. Type imports are erased before anything runs, so they are not followed; packages are
 * covered by the lockfile.
 */
export const readSources = async (root: string): Promise<ReadonlyMap<string, Buffer>> => {
  const queue = [...(await listFiles(root, 'site')), ...(await listFiles(root, 'languages')), 'package-lock.json']
  const sources = new Map<string, Buffer>()
  for (const path of queue) {
    if (sources.has(path)) continue
    const content = await readSource(root, path)
    if (content === null) continue
    sources.set(path, content)
    if (/\.tsx?$/.test(path)) queue.push(...listImports(path, content.toString()))
  }
  return sources
}

/** Values that are imported or exported on, modules loaded later, and files that are named relative to the module. */
const references =
  /\b(?:import|export)\s+(?!type\b)[^'"]*?from\s*['"](\.[^'"]+)['"]|\bimport\s*\(?\s*['"](\.[^'"]+)['"]|\bnew URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url\)/g

const listImports = (path: string, text: string): string[] =>
  [...text.matchAll(references)].map(([, named, loaded, located]) =>
    posix.join(posix.dirname(path), named ?? loaded ?? located ?? ''),
  )

/** Null if there is none: an installation may omit what it does not need, and a URL may name a folder. */
const readSource = async (root: string, path: string): Promise<Buffer | null> =>
  readFile(join(root, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return null
    throw error
  })

const listFiles = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const files = entries.filter((entry) => entry.isFile() && !/^\.|\.test\.tsx?$/.test(entry.name))
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length).replaceAll('\\', '/'))
}
