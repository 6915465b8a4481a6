import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageCode } from '../../languages/language.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { defaultLanguage, languageCodes } from '../languages/languages.ts'
import { type Content, computeEtag } from './content.ts'
import { createFilledDocuments, type DocumentValues } from './filled-documents.ts'
import { type DocumentName, documents, type TextName, texts } from './pages.ts'

/** A build, read into memory: no request ever becomes the path of a file. */
export type BuiltSite = {
  document(name: DocumentName, language: LanguageCode, values: DocumentValues): Content
  text(name: TextName, language: LanguageCode, values: DocumentValues): Content | undefined
  file(path: string): SiteFile | undefined
}

type SiteFile = Content & {
  contentType: string
  /** Named after its content, so it never changes. */
  isHashed: boolean
}

/** `index.json` of a build: the last file that it writes. */
export type SiteIndex = { files: { path: string; contentType: string; isCompressed: boolean }[] }

export const indexName = 'index.json'

/** The path of a document inside a build. */
export const documentFile = (name: DocumentName, language: LanguageCode): string =>
  join(
    'documents',
    `${name === '/' ? 'landing' : name.replace(/^\//, '').replaceAll('/', '-').replaceAll(/[{}]/g, '')}.${language}.html`,
  )

/** The path of a text inside a build. */
export const textFile = (name: TextName, language: LanguageCode): string =>
  join('documents', `${name.slice(1).replaceAll('/', '-')}.${language}`)

export const readBuiltSite = async (folder: string, sourceUrl: string | null = null): Promise<BuiltSite> => {
  const index = readIndex(await readFile(join(folder, indexName), 'utf8'))
  const files = new Map<string, SiteFile>()
  for (const entry of index.files) files.set(entry.path, await readSiteFile(folder, entry))
  const contents = new Map<string, string>()
  for (const name of documents)
    for (const language of languageCodes) {
      const file = documentFile(name, language)
      // A build of an earlier version may lack a language that was added since: it shows English until it is built again.
      const isThere = language === defaultLanguage || existsSync(join(folder, file))
      const found = isThere ? file : documentFile(name, defaultLanguage)
      contents.set(file, await readFile(join(folder, found), 'utf8'))
    }
  // It may also lack texts: those are not found until then, and pages are served all the same.
  for (const file of texts.flatMap((name) => languageCodes.map((language) => textFile(name, language))))
    if (existsSync(join(folder, file))) contents.set(file, await readFile(join(folder, file), 'utf8'))
  const filled = createFilledDocuments((file) => contents.get(file) ?? '', { sourceUrl })
  return {
    document: (name, language, values) => filled(documentFile(name, language), values),
    text(name, language, values) {
      const file = textFile(name, language)
      return contents.has(file) ? filled(file, values) : undefined
    },
    file: (path) => files.get(path),
  }
}

const readSiteFile = async (folder: string, entry: SiteIndex['files'][number]): Promise<SiteFile> => {
  const at = join(folder, 'files', entry.path)
  const plain = await readFile(at)
  const compressed = entry.isCompressed ? { br: await readFile(`${at}.br`), gzip: await readFile(`${at}.gz`) } : null
  return {
    contentType: entry.contentType,
    etag: computeEtag(plain),
    isHashed: entry.path.startsWith('/assets/'),
    plain,
    packed: (compression) => compressed?.[compression] ?? null,
  }
}

/** Our build writes it last; a folder without it, or with part of it, fails to parse. */
const readIndex = (text: string): SiteIndex => parseJsonText(text) as SiteIndex
