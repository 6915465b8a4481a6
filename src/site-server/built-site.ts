import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageCode } from '../../languages/language.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { defaultLanguage, languageCodes } from '../languages/languages.ts'
import { type Content, computeEtag } from './content.ts'
import { createFilledDocuments } from './filled-documents.ts'
import { type DocumentName, documents, type TextName, texts } from './pages.ts'

/** A build, read into memory: no request ever becomes the path of a file. */
export type BuiltSite = {
  document(name: DocumentName, language: LanguageCode, origin: string): Content
  text(name: TextName, language: LanguageCode, origin: string): Content | undefined
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

export const readBuiltSite = async (folder: string): Promise<BuiltSite> => {
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
  const filled = createFilledDocuments((file) => contents.get(file) ?? '')
  return {
    document: (name, language, origin) => filled(documentFile(name, language), origin),
    text(name, language, origin) {
      const file = textFile(name, language)
      return contents.has(file) ? filled(file, origin) : undefined
    },
    file: (path) => files.get(path),
  }
}

const readSiteFile = async (folder: string, entry: SiteIndex['files'][number]): Promise<SiteFile> => {
  const at = join(folder, 'files', entry.path)
  const plain = await readFile(at)
  return {
    contentType: entry.contentType,
    etag: computeEtag(plain),
    isHashed: entry.path.startsWith('/assets/'),
    plain,
    br: entry.isCompressed ? await readFile(`${at}.br`) : null,
    gzip: entry.isCompressed ? await readFile(`${at}.gz`) : null,
  }
}

/** Our build writes it last; a folder without it, or with part of it, fails to parse. */
const readIndex = (text: string): SiteIndex => parseJsonText(text) as SiteIndex
