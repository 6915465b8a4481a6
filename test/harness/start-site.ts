import { inject, onTestFinished } from 'vitest'
import { openBuiltSite } from './open-built-site.ts'
import { type Helix, type HelixOptions, openHelix } from './start-helix.ts'

/** The real server with the pages built for this run, for one test. */
export const startSite = async (options: HelixOptions = {}): Promise<Helix> => {
  const helix = await openSiteServer(options)
  onTestFinished(helix.close)
  return helix
}

/** The same for several tests. Allows many sign-ups from the tests' single address. */
export const openSiteServer = async (options: HelixOptions = {}): Promise<Helix> => {
  const site = await openBuiltSite(inject('builtSite'), options.config?.sourceUrl)
  const config = { signUpsPerHour: 1000, shutdownGraceMs: 0, ...options.config }
  return openHelix({ ...options, openSite: () => site, config })
}
