import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageCode } from '../../languages/language.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { defaultLanguage, languageCodes } from '../languages/languages.ts'
import { type Content, computeEtag } from './content.ts'
import { createFilledDocuments, type DocumentValues } from './filled-documents.ts'
import { type DocumentName, documents, isDocsPage, type TextName, texts } from './pages.ts'

/** A build, read into memory: no request ever becomes the path of a file. */
export type BuiltSite = {
  /** A draft lacks the documentation. */
  has(name: DocumentName): boolean
  document(name: DocumentName, language: LanguageCode, values: DocumentValues): Content
  text(name: TextName, language: LanguageCode, values: DocumentValues): Content | undefined
  file(path: string): SiteFile | undefined
}

type SiteFile = Content & {
  contentType: string
  /** Named after its content, so it never changes. */
  isHashed: boolean
}

/** `index.json` of a build: the last file that it writes, and, without the documentation, the last before that. */
export type SiteIndex = { files: { path: string; contentType: string; isCompressed: boolean }[] }

/** What a build tells the server that started it, in messages between the two processes. */
export type BuildProgress = {
  /** How many files were read and written by now. */
  files: number
  /** Whether the draft has an index: it can be read, and lacks nothing but the documentation. */
  hasPages: boolean
}

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

type ReadOptions = {
  sourceUrl?: string | null
  /** The build has written its pages and this index, and still writes the documentation. */
  isDraft?: boolean
}

export const readBuiltSite = async (folder: string, options: ReadOptions = {}): Promise<BuiltSite> => {
  const { sourceUrl = null, isDraft = false } = options
  const index = readIndex(await readFile(join(folder, indexName), 'utf8'))
  const files = new Map<string, SiteFile>()
  await forEach(index.files, async (entry) => void files.set(entry.path, await readSiteFile(folder, entry)))
  const contents = new Map<string, string>()
  const read = async (file: string, from: string): Promise<void> =>
    void contents.set(file, await readFile(join(folder, from), 'utf8'))
  const isThere = (file: string): boolean => existsSync(join(folder, file))
  for (const language of languageCodes) {
    await forEach(isDraft ? documents.filter((name) => !isDocsPage(name)) : documents, (name) => {
      const file = documentFile(name, language)
      // A build of an earlier version may lack a language that was added since: it shows English until it is built again.
      return read(file, isThere(file) ? file : documentFile(name, defaultLanguage))
    })
    // It may also lack texts: those are not found until then, and pages are served all the same.
    const present = isDraft ? [] : texts.map((name) => textFile(name, language)).filter(isThere)
    await forEach(present, (file) => read(file, file))
  }
  const filled = createFilledDocuments((file) => contents.get(file) ?? '', { sourceUrl })
  return {
    has: (name) => contents.has(documentFile(name, defaultLanguage)),
    document: (name, language, values) => filled(documentFile(name, language), values),
    text(name, language, values) {
      const file = textFile(name, language)
      return contents.has(file) ? filled(file, values) : undefined
    },
    file: (path) => files.get(path),
  }
}

/** Sixteen at a time: one by one, most of the time would be spent waiting for the file system. */
const forEach = async <Item>(items: readonly Item[], read: (item: Item) => Promise<void>): Promise<void> => {
  const queue = items.values()
  const takeTurns = async (): Promise<void> => {
    for (const item of queue) await read(item)
  }
  await Promise.all(Array.from({ length: 16 }, takeTurns))
}

const readSiteFile = async (folder: string, entry: SiteIndex['files'][number]): Promise<SiteFile> => {
  const at = join(folder, 'files', entry.path)
  const endings = entry.isCompressed ? ['', '.br', '.gz'] : ['']
  const [plain, br, gzip] = await Promise.all(endings.map((ending) => readFile(at + ending)))
  if (plain === undefined) throw new Error(`${entry.path} was not read`)
  const compressed = { br, gzip }
  return {
    contentType: entry.contentType,
    etag: computeEtag(plain),
    isHashed: entry.path.startsWith('/assets/'),
    plain,
    packed: (compression) => compressed[compression] ?? null,
  }
}

/** Our build writes it last; a folder without it, or with part of it, fails to parse. */
const readIndex = (text: string): SiteIndex => parseJsonText(text) as SiteIndex
