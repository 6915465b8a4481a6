import { findBuild } from '../../src/site-server/build-folders.ts'
import { runBuild } from '../../src/site-server/run-build.ts'
import { digestSources } from '../../src/site-server/source-digest.ts'

/** Builds the pages, as `helix serve` does if they are missing or older than their sources. False if there was nothing to do. */
export const buildSite = async (root: string): Promise<boolean> => {
  const digest = await digestSources(root)
  if (findBuild(root, digest) !== null) return false
  await runBuild(root, async () => digest, AbortSignal.timeout(300_000))
  return true
}
