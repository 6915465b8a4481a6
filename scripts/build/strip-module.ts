import { stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'

type Source = {
  /** Relative to the root. */
  path: string
  text: string
  /** Whether there is a source file at a path relative to the root. */
  exists(path: string): boolean
}
/** `map` is null for a module that was JavaScript already. */
export type Built = { path: string; text: string; map: string | null }

/** Imports, and the files of threads and processes: `'./name.ts'` becomes `'./name.js'`, which is as long. */
const reference = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g

/** A module without types, which refers to other modules as they are called after the build. */
export const stripModule = ({ path, text, exists }: Source): Built => {
  const isTypeScript = path.endsWith('.ts')
  const stripped = isTypeScript ? stripTypeScriptTypes(text) : text
  const referring = stripped.replace(reference, (_, quote: string, target: string) => {
    const file = `${posix.join(posix.dirname(path), target)}.ts`
    if (!exists(file)) throw new Error(`${path} refers to ${file}, which does not exist.`)
    return `${quote}${target}.js${quote}`
  })
  if (!isTypeScript) return { path, text: referring, map: null }
  const builtPath = path.replace(/ts$/, 'js')
  const mapName = `${posix.basename(builtPath)}.map`
  return {
    path: builtPath,
    text: `${referring}\n//# sourceMappingURL=${mapName}\n`,
    map: JSON.stringify({
      version: 3,
      sources: [posix.basename(path)],
      sourcesContent: [text],
      names: [],
      mappings: sameLines(text),
    }),
  }
}

/** Every line is mapped to itself: "the first column here, the same file, one line further than before, its first column". */
const sameLines = (text: string): string => `AAAA${';AACA'.repeat(text.split('\n').length - 1)}`
