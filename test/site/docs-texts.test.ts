import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readBuiltSite, textFile } from '../../src/site-server/built-site.ts'
import { noSite } from '../../src/site-server/open-site.ts'
import { docsPaths } from '../../src/site-server/pages.ts'
import { builtSiteFolder } from '../harness/built-site.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let folder: string
let helix: Helix
beforeAll(async () => {
  folder = await builtSiteFolder()
  const site = await readBuiltSite(folder)
  helix = await openHelix({ openSite: () => ({ ...noSite, state: { kind: 'ready', site } }) })
  return helix.close
})

const read = async (path: string, language = 'en') => {
  const response = await fetch(helix.url + path, { headers: { 'accept-language': language } })
  return { response, text: await response.text() }
}

test('llms.txt lists every page of the docs as Markdown, with the address that the reader used', async () => {
  const { response, text } = await read('/llms.txt')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const listed = [...text.matchAll(/^- \[.+\]\((.+)\): .{20,}$/gm)].map(([, address]) => address)
  expect(listed.toSorted()).toEqual(docsPaths.map((path) => `${helix.url}${path}.md`).toSorted())
  expect((await read('/llms.txt', 'ja')).text).toContain('## ガイド')
})

test('a page as Markdown has its headings, its samples and whole links, in the language of the reader', async () => {
  const { response, text } = await read('/docs/tools.md')
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(text).toMatch(/^# Tools\n\n/)
  expect(text).toContain(`\`\`\`sh\nBASE_URL=${helix.url}/v1\ncurl "$BASE_URL/chat/completions" \\\n`)
  expect(text).toContain('```ts\nimport OpenAI')
  expect(text).toContain(`[Agents](${helix.url}/docs/agents)`)
  expect((await read('/docs/tools.md', 'ja')).text).toMatch(/^# ツール\n\n/)
  expect((await read('/docs/errors.md')).text).toMatch(/\n\| Code \| Message \|\n\|---\|---\|\n\| `/)
})

test.each(docsPaths)('%s as Markdown holds no HTML and no controls', async (path) => {
  const text = await readFile(join(folder, textFile(`${path}.md`, 'en')), 'utf8')
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '')
  expect(
    [...prose.matchAll(/<\/?\w[^>]*>|&#?\w+;|Copy as Markdown|On this page|Sends the request/g)].map(
      ([found]) => found,
    ),
  ).toEqual([])
})

test('the changelog page shows every version', async () => {
  const changelog = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const { text } = await read('/docs/changelog', 'ja')
  const versions = [...changelog.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect([...text.matchAll(/<section [^>]*lang="en"><h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(versions)
})
