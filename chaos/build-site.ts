import { fileURLToPath } from 'node:url'
import { findBuild } from '../src/site-server/build-folders.ts'
import { runBuild } from '../src/site-server/run-build.ts'
import { digestSources } from '../src/site-server/source-digest.ts'

/** A server without built pages would build them during the first lives, in a process that outlives it. */
export const buildSite = async (): Promise<void> => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const digest = await digestSources(root)
  if (findBuild(root, digest) === null) await runBuild(root, async () => digest, AbortSignal.timeout(300_000))
}
