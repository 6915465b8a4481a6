import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What `npm run build` writes beside the server. */
export const buildFileName = 'build.json'

/** The commit of a clone, read from git's own files: the program may be missing, and starting it takes longer. Null without one. */
export const readCommit = (root: string): string | null => {
  const folder = gitFolder(root)
  const head = readText(join(folder, 'HEAD'))
  const name = /^ref: (refs\/.+)$/.exec(head)?.[1]
  const found = name === undefined ? head : readReference(folder, name)
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(found) ? found : null
}

/** Of an additional work tree, `.git` is a file that names it. */
const gitFolder = (root: string): string => {
  const named = /^gitdir: (.+)$/.exec(readText(join(root, '.git')))?.[1]
  return named === undefined ? join(root, '.git') : resolve(root, named)
}

/** Branches are in the folder that all work trees share, each in a file or all in one list. */
const readReference = (folder: string, name: string): string => {
  const shared = resolve(folder, readText(join(folder, 'commondir')))
  const own = readText(join(shared, name))
  if (own !== '') return own
  const line = readText(join(shared, 'packed-refs'))
    .split('\n')
    .find((each) => each.endsWith(` ${name}`))
  return line?.split(' ')[0] ?? ''
}

/** Empty if there is no such file. */
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
