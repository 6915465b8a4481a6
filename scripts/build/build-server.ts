import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { buildFileName, readCommit } from '../../src/base/read-commit.ts'
import { type Built, stripModule } from './strip-module.ts'

const folders = ['src', 'languages']

/**
 * Writes the server as JavaScript to `lib/`: `lib/src/` and `lib/languages/` are what a release has as `src/` and `languages/`,
 * so that every path relative to a module stays right. Types become spaces, so that lines and columns stay the same too;
 * everything else is copied.
 */
export const buildServer = async (root: string, target: string): Promise<number> => {
  const paths = (await Promise.all(folders.map((folder) => listSources(root, folder)))).flat()
  const known = new Set(paths)
  const draft = `${target}-${process.pid}`
  await rm(draft, { recursive: true, force: true })
  for (const path of paths) {
    const source = join(root, path)
    const copy = join(draft, path)
    await mkdir(dirname(copy), { recursive: true })
    if (['.ts', '.mjs'].includes(extname(path))) {
      const built = stripModule({ path, text: await readFile(source, 'utf8'), exists: (each) => known.has(each) })
      await writeModule(draft, built)
    } else await copyFile(source, copy)
  }
  await writeFile(join(draft, 'src', buildFileName), `${JSON.stringify({ commit: readCommit(root) ?? 'unknown' })}\n`)
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
  return paths.length
}

const writeModule = async (folder: string, { path, text, map }: Built): Promise<void> => {
  await writeFile(join(folder, path), text)
  if (map !== null) await writeFile(join(folder, `${path}.map`), map)
}

/** Relative to the root, sorted; without tests. */
const listSources = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/^\.|\.test\.ts$/.test(entry.name))
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length)).sort()
}
