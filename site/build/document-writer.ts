import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Language } from '../../languages/language.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { documentFile, textFile } from '../../src/site-server/built-site.ts'
import {
  appDocument,
  appViews,
  type DocsPage,
  type DocumentName,
  docsPaths,
  isDocsPage,
  wholeDocuments,
} from '../../src/site-server/pages.ts'
import { renderApp } from '../public-pages/documents/app.ts'
import { renderLlmsText } from '../public-pages/llms-text.ts'
import type { PageAssets } from '../public-pages/page-assets.ts'
import { renderDocument } from '../public-pages/render-document.ts'
import { writeDocsIndex } from './root-files.ts'
import { toMarkdown } from './to-markdown.ts'

type Places = {
  folder: string
  files: string
  assets: PageAssets
  /** A file is there. */
  onFile(): void
}

/** The documents of one language. */
export type DocumentWriter = {
  /** All but the documentation: the pages that people open first. */
  writePages(): Promise<void>
  /** The documentation, what its search reads, and its texts for programs. */
  writeDocs(): Promise<void>
}

export const createDocumentWriter = async (language: Language, places: Places): Promise<DocumentWriter> => {
  const { folder, files, assets, onFile } = places
  const { code } = language
  const reader = { language, languages, words: await readWords(code, 'public-pages') }
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
    onFile()
  }
  const writeDocument = (name: DocumentName, html: string): Promise<void> => write(documentFile(name, code), html)
  return {
    async writePages() {
      for (const name of wholeDocuments)
        if (!isDocsPage(name)) await writeDocument(name, renderDocument(name, reader, assets).html)
      const appWords = { ...(await readWords(code, 'console')), ...(await readWords(code, 'admin')) }
      for (const view of appViews) await writeDocument(appDocument(view), renderApp(view, reader, appWords, assets))
    },
    async writeDocs() {
      const rendered = new Map(docsPaths.map((path) => [path, renderDocument(path, reader, assets)]))
      const htmlOf = (path: DocsPage): string => rendered.get(path)?.html ?? ''
      // The index of the search is read from the pages, which then name it.
      const docsIndex = await writeDocsIndex(files, code, reader.words.searchSynonyms, htmlOf)
      for (const path of docsPaths) {
        await writeDocument(path, htmlOf(path).replace('data-docs-index=""', `data-docs-index="${docsIndex}"`))
        await write(textFile(`${path}.md`, code), toMarkdown(htmlOf(path)))
      }
      const describe = (path: DocsPage): string => rendered.get(path)?.description ?? ''
      await write(textFile('/llms.txt', code), renderLlmsText(reader, describe))
    },
  }
}
