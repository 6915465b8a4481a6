import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vite'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { documentFile, indexName, textFile } from '../../src/site-server/built-site.ts'
import { appDocument, appViews, type DocumentName, docsPaths, wholeDocuments } from '../../src/site-server/pages.ts'
import { renderApp } from '../public-pages/documents/app.ts'
import { renderLlmsText } from '../public-pages/llms-text.ts'
import { renderDocument } from '../public-pages/render-document.ts'
import { readAssets } from './assets.ts'
import { packFiles } from './pack-files.ts'
import { writeDocsIndex, writeRootFiles } from './root-files.ts'
import { toMarkdown } from './to-markdown.ts'
import { viteConfig } from './vite-config.ts'

/** Builds the whole site into the folder named on the command line: scripts and styles, documents, then the index. */
const folder = resolve(process.argv[2] ?? 'dist/site/by-hand')
const files = join(folder, 'files')
// Tests and developers start this too; the pages are always the production ones.
process.env.NODE_ENV = 'production'
await build(viteConfig(files))
const assets = await readAssets(files, await writeRootFiles(files))
for (const language of languages) {
  const { code } = language
  const reader = { language, languages, words: await readWords(code, 'public-pages') }
  // Rendered once: the index of the search and the texts are read from the pages, which then name the index.
  const rendered = new Map<DocumentName, string>(
    wholeDocuments.map((name) => [name, renderDocument(name, reader, assets)]),
  )
  const docsIndex = await writeDocsIndex(files, code, reader.words.searchSynonyms, (name) => rendered.get(name) ?? '')
  const appWords = { ...(await readWords(code, 'console')), ...(await readWords(code, 'admin')) }
  for (const view of appViews) rendered.set(appDocument(view), renderApp(view, reader, appWords, assets))
  for (const [name, document] of rendered) {
    const target = join(folder, documentFile(name, code))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, document.replace('data-docs-index=""', `data-docs-index="${docsIndex}"`))
  }
  for (const path of docsPaths)
    await writeFile(join(folder, textFile(`${path}.md`, code)), toMarkdown(rendered.get(path) ?? ''))
  await writeFile(join(folder, textFile('/llms.txt', code)), renderLlmsText(reader))
}
const index = { files: await packFiles(files) }
await rm(join(files, 'manifest.json'))
await writeFile(join(folder, 'manifest.json'), JSON.stringify(assets.manifest, null, 1))
await writeFile(join(folder, indexName), JSON.stringify(index))
