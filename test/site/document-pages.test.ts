import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { LanguageCode } from '../../languages/language.ts'
import { docsIndex } from '../../site/build/docs-index.ts'
import { createFinder } from '../../site/public-pages/behaviour/docs/create-finder.ts'
import { documentFiles, readDocument, readTranslation } from '../../site/public-pages/parts/document-files.ts'
import { headingDepths } from '../../site/public-pages/parts/document-sections.ts'
import { renderDocument } from '../../site/public-pages/render-document.ts'
import { settingGroups, settingNames } from '../../src/config/settings.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { type DocumentPage, docsPaths, guideDocuments, operateDocuments } from '../../src/site-server/pages.ts'

const pages: readonly DocumentPage[] = [...guideDocuments, ...operateDocuments]

const assets = {
  ...{
    path: () => '',
    imports: () => [],
    view: () => ({ scripts: [], styles: [] }),
    font: '',
    beforePaintScript: '',
    card: '',
    picture: () => '',
    docsIndex: '',
  },
}

const render = async (code: LanguageCode): Promise<ReadonlyMap<string, string>> => {
  const [language] = languages.filter((each) => each.code === code)
  if (language === undefined) throw new Error(code)
  const words = await readWords(code, 'public-pages')
  return new Map(docsPaths.map((path) => [path, renderDocument(path, { language, languages, words }, assets).html]))
}

let rendered: ReadonlyMap<string, ReadonlyMap<string, string>>
beforeAll(async () => {
  rendered = new Map(await Promise.all(languages.map(async ({ code }) => [code, await render(code)] as const)))
})

const pageIn = (code: LanguageCode, path: string): string => rendered.get(code)?.get(path) ?? ''

/** They are about how Helix is built, not about using or running it, or are pages that are written for the site. */
const notOnTheSite = [
  'compatibility.md',
  'errors.md',
  'fault-report.md',
  'glossary.md',
  'ledger.md',
  'lifecycle.md',
  'performance.md',
]

test('every document for users and operators is on the site', () => {
  const folder = join(import.meta.dirname, '../../docs')
  const files = globSync(['*.md', 'operate/*.md'], { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  const shown = Object.values(documentFiles).map(({ name }) => name)
  expect(files.toSorted()).toEqual([...shown, ...notOnTheSite].toSorted())
})

test.each(languages)('links between documents lead to a place that is there: $code', ({ code }) => {
  const documents = rendered.get(code) ?? new Map<string, string>()
  expect(documents.size).toBe(docsPaths.length)
  const ids = new Map([...documents].map(([path, html]) => [path, new Set(idsIn(html))]))
  for (const [path, html] of documents) {
    const targets = [...html.matchAll(/<a [^>]*href="([^"]*#[^"]*)"/g)].map(([, target = '']) => target)
    const lost = targets.filter((target) => {
      const [page = '', place = ''] = target.split('#')
      return !/^https?:/.test(page) && ids.get(page === '' ? path : page)?.has(place) !== true
    })
    expect(
      lost.filter((target) => target !== '#page'),
      path,
    ).toEqual([])
  }
})

test.each(languages)('an address that is an example is no link: $code', ({ code }) => {
  for (const [path, html] of rendered.get(code) ?? []) {
    const targets = [...html.matchAll(/<a [^>]*href="(https?:[^"]*)"/g)].map(([, target = '']) => target)
    expect(
      targets.filter((target) => /\bexample\b|[^!-~]/.test(target)),
      path,
    ).toEqual([])
  }
})

test.each(languages)('no page points to the records of decisions, which are not on the site: $code', ({ code }) => {
  for (const page of pages) {
    const text = pageIn(code, page).replaceAll(/<[^>]*>/g, '')
    expect([page, /[^.。]*(?:\bdecision &?#?\d|設計判断)[^.。]*/i.exec(text)?.[0]]).toEqual([page, undefined])
  }
})

const idsIn = (html: string): string[] => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)

test('every document is in Japanese', () => {
  expect(pages.filter((page) => readTranslation(page, 'ja') === null)).toEqual([])
  for (const page of pages)
    expect([page, pageIn('ja', page).includes('このページの本文は英語です。')]).toEqual([page, false])
})

test.each(pages)('a translation has the headings of its original, whose places links name: %s', (page) => {
  const translation = readTranslation(page, 'ja')
  if (translation !== null) expect(headingDepths(translation)).toEqual(headingDepths(readDocument(page)))
})

/** What a translation does not name yet. Take it off this list when it is translated. */
const notYetTranslated: Partial<Record<DocumentPage, readonly string[]>> = {}

/** Settings, fields, commands and codes are the same in every language, so one that is missing is a sentence that is missing. */
test.each(pages)('a translation names what its original names: %s', (page) => {
  const translation = new Set(namesIn(readTranslation(page, 'ja') ?? ''))
  const missing = namesIn(readDocument(page)).filter((name) => !translation.has(name))
  expect(missing).toEqual(notYetTranslated[page] ?? [])
})

/** Not of samples, and not of the files that the documents in the repository lead to. */
const namesIn = (text: string): string[] =>
  [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:src|test)\/|^npm run docs$|[×]/.test(name))

test.each(languages)('the search knows every setting by its name: $code', ({ code }) => {
  const entries = docsIndex((name) => pageIn(code, name)).filter(({ id }) => id.startsWith('/docs/operate/config'))
  const known = new Set(entries.flatMap(({ names }) => names.split(' ')))
  expect(settingNames.filter((name) => !known.has(name))).toEqual([])
})

test.each(languages)(
  'each setting stands under the heading of its group, which the contents list: $code',
  async ({ code }) => {
    const { groups } = await readWords(code, 'settings')
    const html = pageIn(code, '/docs/operate/config')
    const sections = html.split(/(?=<section )/).filter((section) => section.includes(' id="setting-'))
    const shown = sections.map((section) => ({
      title: /<h2>(.*?)<\/h2>/.exec(section)?.[1],
      settings: idsIn(section).flatMap((id) => /^setting-(.*)/.exec(id)?.[1] ?? []),
    }))
    const declared = Object.entries(settingGroups).map(([group, rows]) => ({
      title: new Map<string, string>(Object.entries(groups)).get(group),
      settings: Object.keys(rows),
    }))
    expect(shown).toEqual(declared)
    const places = sections.map((section) => idsIn(section)[0] ?? '')
    expect(places).toContain('accounts-and-sign-up')
    const contents = /<nav class="on-this-page".*?<\/nav>/s.exec(html)?.[0] ?? ''
    expect([...contents.matchAll(/href="#([^"]+)"/g)].map(([, place]) => place)).toEqual(places)
  },
)

test.each(languages)('what the search finds has a place on its page: $code', ({ code }) => {
  const entries = docsIndex((name) => pageIn(code, name))
  const lost = entries.filter(({ id }) => {
    const [page = '', place] = id.split('#')
    return place !== undefined && !idsIn(pageIn(code, page)).includes(place)
  })
  expect(lost.map(({ id }) => id)).toEqual([])
  expect(entries.filter(({ heading }) => heading === '')).toEqual([])
})

test.each([
  ['temprature', '/docs/api/chat-completions#createChatCompletion.temperature'],
  ['context_length_exceeded', '/docs/errors#context_length_exceeded-400'],
  ['HELIX_PORT', '/docs/operate/config#setting-port'],
  ['streaming', '/docs/streaming'],
  ['rotate keys', '/docs/api/keys#rotateKey'],
  ['POST /v1/embeddings', '/docs/api/embeddings#createEmbedding'],
])('the search finds what is meant by "%s" first', async (typed, id) => {
  const { searchSynonyms: synonyms } = await readWords('en', 'public-pages')
  const find = createFinder({ entries: docsIndex((name) => pageIn('en', name)), synonyms })
  expect(find(typed).entries[0]?.id).toBe(id)
})

test.each(languages)('synonyms of the search are words that it finds: $code', async ({ code }) => {
  const { searchSynonyms: synonyms } = await readWords(code, 'public-pages')
  const find = createFinder({ entries: docsIndex((name) => pageIn(code, name)), synonyms })
  expect(Object.keys(synonyms).filter((word) => find(word).entries.length === 0)).toEqual([])
})

test('documents name the address that the reader uses, and pages instead of files', () => {
  const html = pageIn('en', '/docs/guides/messages')
  expect(html).toContain('{{origin}}/v1/messages')
  expect(html).not.toContain('localhost:8080')
  expect(html).toContain('<a href="/docs/operate/upstreams">')
  const all = [...(rendered.get('en')?.values() ?? [])].join('')
  expect(all.match(/<a [^>]*>[\w/-]+\.md<\/a>/g)).toBeNull()
  // Blocks that tests run are marked in the files, not on the pages.
  expect(all).not.toContain('sh tested')
})
