import { readBuiltSite } from '../../src/site/built-site.ts'
import type { Site } from '../../src/site/open-site.ts'

/** A site that is there from the beginning. */
export const openBuiltSite = async (folder: string): Promise<Site> => {
  const site = await readBuiltSite(folder)
  return { state: { kind: 'ready', site }, settled: Promise.resolve(), close: async () => {} }
}
