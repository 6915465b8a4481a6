import { createHash } from 'node:crypto'
import { readSources } from './read-sources.ts'

/** A digest of the sources, under which a build is stored, so that an outdated one is never used by mistake. */
export const digestSources = async (root: string): Promise<string> => {
  const hash = createHash('sha256')
  const sources = [...(await readSources(root))].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [path, content] of sources) hash.update(`${path}\0${content.length}\0`).update(content)
  return hash.digest('hex').slice(0, 16)
}
