import { inject, onTestFinished } from 'vitest'
import { readBuiltSite } from '../../src/site/built-site.ts'
import type { Site } from '../../src/site/open-site.ts'
import { type Helix, type HelixOptions, openHelix } from './start-helix.ts'

/** The real server with the pages that were built for this run. Many people may sign up from the one address we have. */
export const startSite = async (options: HelixOptions = {}): Promise<Helix> => {
  const site = await readBuiltSite(inject('builtSite'))
  const built: Site = { state: { kind: 'ready', site }, settled: Promise.resolve(), close: async () => {} }
  const helix = await openHelix({
    ...options,
    openSite: () => built,
    config: { signUpsPerHour: 1000, shutdownGraceMs: 0, ...options.config },
  })
  onTestFinished(helix.close)
  return helix
}
