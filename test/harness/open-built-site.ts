import { readBuiltSite } from '../../src/site-server/built-site.ts'
import type { Site } from '../../src/site-server/open-site.ts'

/** A site that is available from the start. */
export const openBuiltSite = async (folder: string, sourceUrl: string | null = null): Promise<Site> => {
  const site = await readBuiltSite(folder, sourceUrl)
  return { state: { kind: 'ready', site }, settled: Promise.resolve(), close: async () => {} }
}
