import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBuild } from '../../src/site/build-folders.ts'
import { runBuild } from '../../src/site/run-build.ts'
import { digestSources } from '../../src/site/source-digest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the pages as the sources have them now; they are built where they are not there yet. */
export const builtSiteFolder = async (): Promise<string> => {
  const digest = await digestSources(root)
  return findBuild(root, digest) ?? (await runBuild(root, digest, AbortSignal.timeout(60_000)))
}

export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
