import { readBuiltSite } from '../../src/site-server/built-site.ts'
import { noSite, type Site } from '../../src/site-server/open-site.ts'

/** A site that is available from the start. */
export const openBuiltSite = async (folder: string, sourceUrl: string | null = null): Promise<Site> => ({
  ...noSite,
  state: { kind: 'ready', site: await readBuiltSite(folder, { sourceUrl }) },
})
