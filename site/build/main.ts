import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { languages } from '../../src/languages/languages.ts'
import { type BuildProgress, indexName, type SiteIndex } from '../../src/site-server/built-site.ts'
import { viteConfig } from './vite-config.ts'

/**
 * Builds the whole site: scripts and styles, the pages that people open first with an index, then the documentation and the index of
 * everything. Somebody may be waiting for a page, so nothing is loaded or done before its turn.
 */
const buildSite = async (folder: string, report: (progress: BuildProgress) => void): Promise<void> => {
  const files = join(folder, 'files')
  let progress: BuildProgress = { files: 0, hasPages: false }
  const onFile = (): void => {
    progress = { ...progress, files: progress.files + 1 }
    report(progress)
  }
  // Vite works on threads of its own: meanwhile this one loads what renders the documents.
  const [{ createDocumentWriter }, { readAssets }, { packFiles }, { writeRootFiles }] = await Promise.all([
    import('./document-writer.ts'),
    import('./assets.ts'),
    import('./pack-files.ts'),
    import('./root-files.ts'),
    build(viteConfig(files, onFile)),
  ])
  const assets = await readAssets(files, await writeRootFiles(files))
  const packing = packFiles(files, 'quick')
  const places = { folder, files, assets, onFile }
  const writers = await Promise.all(languages.map((language) => createDocumentWriter(language, places)))
  for (const writer of writers) await writer.writePages()
  const listed = await packing
  await writeIndex(folder, listed)
  progress = { ...progress, hasPages: true }
  report(progress)
  for (const writer of writers) await writer.writeDocs()
  await rm(join(files, 'manifest.json'))
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(assets.manifest, null, 1))
  await writeIndex(folder, await packFiles(files, 'quick', listed))
}

/** The server may be reading the first one when the second is written. */
const writeIndex = async (folder: string, listed: SiteIndex['files']): Promise<void> => {
  const draft = join(folder, 'index.draft')
  await writeFile(draft, JSON.stringify({ files: listed } satisfies SiteIndex))
  await rename(draft, join(folder, indexName))
}

// Nobody would use the build of a server that was killed.
process.on('disconnect', () => process.exit(1))
process.channel?.unref()
// Tests and developers start this too; the pages are always the production ones.
process.env.NODE_ENV = 'production'
await buildSite(resolve(process.argv[2] ?? 'dist/site/by-hand'), (progress) => void process.send?.(progress))
