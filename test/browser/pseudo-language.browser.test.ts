import { beforeAll, expect, inject } from 'vitest'
import { test } from '../harness/open-visitor.ts'
import { type SeenPage, visitPseudoSite } from '../harness/pseudo-language/visit-pseudo-site.ts'
import { pseudoCode } from '../harness/pseudo-language/write-pseudo-language.ts'
import { scratchPath } from '../harness/scratch-path.ts'

/** A language that is added with a folder and no other file: accented English, two fifths longer. */
const endpoint = inject('browserEndpoint')
let pages: SeenPage[] = []
beforeAll(async () => {
  if (endpoint !== null) pages = await visitPseudoSite(scratchPath(), endpoint)
}, 600_000)

test('a folder is enough for a language: server, build and console speak it on every page', () => {
  expect(new Set(pages.map(({ name }) => name)).size).toBeGreaterThan(30)
  expect(pages.filter(({ lang }) => lang !== pseudoCode)).toEqual([])
  expect(pages.map(({ name }) => name)).toEqual(expect.arrayContaining(['home', 'playground-shared', 'key-created']))
  expect(pages.filter(({ title }) => !/[áéîöü]/.test(title))).toEqual([])
})

test.each([390, 768, 1440])('texts two fifths longer than English fit every page at %d px', (width) => {
  const cut = pages.filter((page) => page.width === width && page.cut.length > 0)
  expect(cut.map((page) => ({ name: page.name, cut: page.cut }))).toEqual([])
})

test('on a phone, where tables are cards without heads, every figure says what it is of', () => {
  expect(pages.flatMap(({ name, bare }) => bare.map((cell) => `${name}: ${cell}`))).toEqual([])
})
