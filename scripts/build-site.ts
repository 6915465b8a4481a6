import { fileURLToPath } from 'node:url'
import { findBuild } from '../src/site-server/build-folders.ts'
import { runBuild } from '../src/site-server/run-build.ts'
import { digestSources } from '../src/site-server/source-digest.ts'

/** Builds the pages, as `helix serve` does if they are missing or older than their sources. */
const root = fileURLToPath(new URL('../', import.meta.url))
const digest = await digestSources(root)
const isBuilt = findBuild(root, digest) !== null
if (!isBuilt) await runBuild(root, digest, AbortSignal.timeout(300_000))
console.log(isBuilt ? 'The site is built already.' : 'The site is built.')
