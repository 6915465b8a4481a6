import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { languageCodes } from '../../src/languages/languages.ts'
import { documentFile } from '../../src/site-server/built-site.ts'
import { apiPages, appPages, documents, publicPages, texts } from '../../src/site-server/pages.ts'
import { builtSiteFolder } from '../harness/built-site.ts'

let folder: string
beforeAll(async () => {
  folder = await builtSiteFolder()
})

const every = documents.flatMap((name) => languageCodes.map((language) => ({ name, language })))
const read = ({ name, language }: (typeof every)[number]): Promise<string> =>
  readFile(join(folder, documentFile(name, language)), 'utf8')

test.each(every)('$name in $language says its language and has a title', async (document) => {
  const html = await read(document)
  expect(html).toContain(`<html lang="${document.language}">`)
  expect(html).toMatch(/<title>[^<]+<\/title>/)
})

test.each(every)('$name in $language holds nothing that the content security policy forbids', async (document) => {
  const html = await read(document)
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|src="(https?:)?\/\//)
  for (const [, attributes] of html.matchAll(/<script([^>]*)>/g)) expect(attributes).toContain('src="/assets/')
})

test.each(every)('$name in $language links only to pages that are there', async (document) => {
  const html = await read(document)
  const known = new Set<string>([...publicPages, ...appPages, ...texts, '/v1/openapi.json', '/licence.txt'])
  const targets = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => /^\//.test(target) && !known.has(target.split(/[?#]/)[0] ?? ''))).toEqual([])
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
  expect(targets.filter((target) => target.startsWith('#') && !ids.has(target.slice(1)))).toEqual([])
})

test.each(every)('$name in $language has no id twice', async (document) => {
  const ids = [...(await read(document)).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
})

test('the licence that every footer names is the one of the program', async () => {
  expect(await read({ name: '/', language: 'en' })).toMatch(/<footer.*href="\/licence\.txt"/s)
  const licence = await readFile(join(folder, 'files/licence.txt'), 'utf8')
  expect(licence).toBe(await readFile(join(import.meta.dirname, '../../LICENSE'), 'utf8'))
})

test('the Japanese pages are in Japanese', async () => {
  for (const name of publicPages)
    expect(await read({ name, language: 'ja' }), name).toMatch(/<h1[^>]*>[^<]*[ぁ-ん一-龠ァ-ヶ]/)
})

test.each(languageCodes)('the descriptions of calls and fields in %s have code, not backticks', async (language) => {
  for (const name of ['/docs/api', ...apiPages] as const) {
    const html = await read({ name, language })
    expect([...html.matchAll(/<(?:p|span)[^>]*>[^<]*`[^<]*/g)].map(([text]) => text)).toEqual([])
  }
})

test('what can be shared has a description and a picture', async () => {
  for (const name of publicPages.filter((each) => each === '/' || each.startsWith('/docs')))
    for (const language of languageCodes) {
      const html = await read({ name, language })
      expect(html).toMatch(/<meta name="description" content="[^"]{20,}">/)
      expect(html).toMatch(/<meta property="og:image" content="\{\{origin\}\}\/assets\/card-\w+\.png">/)
    }
})
