import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBuild } from '../../src/site-server/build-folders.ts'
import { runBuild } from '../../src/site-server/run-build.ts'
import { digestSources } from '../../src/site-server/source-digest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the pages built from the current sources; builds them if they are missing. */
export const builtSiteFolder = async (): Promise<string> => {
  const digest = await digestSources(root)
  return findBuild(root, digest) ?? (await runBuild(root, async () => digest, AbortSignal.timeout(300_000)))
}

export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))

/** The file names of an entry and all its static imports. */
export const firstLoad = (manifest: Manifest, entry: string): string[] => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const next of manifest[name]?.imports ?? []) visit(next)
  }
  visit(entry)
  return [...seen].flatMap((name) => manifest[name]?.file ?? [])
}

/** The scripts of a public page, with the words that its forms say. */
export const publicScripts = (manifest: Manifest, name: string, language: string): string[] => {
  const entries = [
    `public-pages/behaviour/${name}.ts`,
    ...(name === 'auth' ? [`../languages/${language}/auth.ts`] : []),
  ]
  return [...new Set(entries.flatMap((entry) => firstLoad(manifest, entry)))]
}

const adminPages = ['overview', 'accounts', 'organisations', 'models', 'upstreams', 'nodes', 'webhooks', 'server']

/** They do without the words of the other pages. */
const playgroundPages = ['playground', 'compare']

/** The scripts that a console page needs before it is shown. */
export const consoleScripts = (manifest: Manifest, page: string, language: string): string[] => {
  const entries = [
    'app/main.tsx',
    'app/start-app.tsx',
    `app/pages/${page}/${page}-page.tsx`,
    `../languages/${language}/${playgroundPages.includes(page) ? 'first' : 'console'}.ts`,
    ...(adminPages.includes(page) ? [`../languages/${language}/admin.ts`] : []),
  ]
  return [...new Set(entries.flatMap((entry) => firstLoad(manifest, entry)))]
}
