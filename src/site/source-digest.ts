import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the built files are made from. Tests are no part of it. */
const sources = [
  'site',
  'src/site/pages.ts',
  'src/site/built-site.ts',
  'src/base/errors.ts',
  'src/accounts/roles.ts',
  'src/store/audit-actions.ts',
  'src/store/decide-member-change.ts',
  'src/store/team-contract.ts',
  'src/api',
  'src/http/schema',
  'conformance',
  'models/helix-v1/model.json',
  'package-lock.json',
]

/** One name for one state of the sources: a build is kept under it, so an old one is never taken for a new one. */
export const digestSources = async (root: string): Promise<string> => {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const path of await listFiles(root, source)) {
      const content = await readFile(join(root, path))
      hash.update(`${path}\0${content.length}\0`).update(content)
    }
  return hash.digest('hex').slice(0, 16)
}

const listFiles = async (root: string, path: string): Promise<string[]> => {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return null
    // An installation may have left out what it does not need.
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries === null) return [path]
  const names = entries.filter(({ name }) => !/^\.|\.test\.tsx?$/.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  for (const entry of names) {
    const inner = `${path}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listFiles(root, inner)))
    else if (entry.isFile()) found.push(inner)
  }
  return found
}
