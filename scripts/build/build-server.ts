import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { buildFileName, readCommit } from '../../src/base/read-commit.ts'
import { type Built, stripModule } from './strip-module.ts'

/**
 * Writes the server as JavaScript to `lib/`: the same files at the same places as in `src/`, so that every path relative to a
 * module stays right. Types become spaces, so that lines and columns stay the same too; everything else is copied.
 */
export const buildServer = async (root: string, target = join(root, 'lib')): Promise<number> => {
  const paths = await listSources(join(root, 'src'))
  const known = new Set(paths)
  const draft = `${target}-${process.pid}`
  await rm(draft, { recursive: true, force: true })
  for (const path of paths) {
    const source = join(root, 'src', path)
    const copy = join(draft, path)
    await mkdir(dirname(copy), { recursive: true })
    if (['.ts', '.mjs'].includes(extname(path))) {
      const built = stripModule({ path, text: await readFile(source, 'utf8'), exists: (each) => known.has(each) })
      await writeModule(draft, built)
    } else await copyFile(source, copy)
  }
  await writeFile(join(draft, buildFileName), `${JSON.stringify({ commit: readCommit(root) ?? 'unknown' })}\n`)
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
  return paths.length
}

const writeModule = async (folder: string, { path, text, map }: Built): Promise<void> => {
  await writeFile(join(folder, path), text)
  if (map !== null) await writeFile(join(folder, `${path}.map`), map)
}

/** Relative to the folder, sorted; without tests. */
const listSources = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/^\.|\.test\.ts$/.test(entry.name))
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
}
