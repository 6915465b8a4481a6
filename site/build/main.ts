import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vite'
import { documentFile, indexName } from '../../src/site-server/built-site.ts'
import { documents, languages } from '../../src/site-server/pages.ts'
import { renderDocument } from '../public-pages/render-document.ts'
import { readAssets } from './assets.ts'
import { packFiles } from './pack-files.ts'
import { writeDocsIndexes, writeRootFiles } from './root-files.ts'
import { viteConfig } from './vite-config.ts'

/** Builds the whole site into the folder named on the command line: scripts and styles, documents, then the index. */
const folder = resolve(process.argv[2] ?? 'dist/site/by-hand')
const files = join(folder, 'files')
// Tests and developers start this too; the pages are always the production ones.
process.env.NODE_ENV = 'production'
await build(viteConfig(files))
const assets = await readAssets(files, await writeRootFiles(files))
const docsIndexes = await writeDocsIndexes(files, (name, language) => renderDocument(name, language, assets))
for (const name of documents)
  for (const language of languages) {
    const target = join(folder, documentFile(name, language))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, renderDocument(name, language, { ...assets, docsIndex: docsIndexes[language] }))
  }
const index = { files: await packFiles(files) }
await rm(join(files, 'manifest.json'))
await writeFile(join(folder, 'manifest.json'), JSON.stringify(assets.manifest, null, 1))
await writeFile(join(folder, indexName), JSON.stringify(index))
