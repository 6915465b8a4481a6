import { type DocsPage, docsPaths } from '../../src/site-server/pages.ts'
import type { DocsEntry } from '../public-pages/docs-entry.ts'

/** Longer texts would make the index larger than the pages that people read. */
const maxText = 1200
const maxNameText = 240
const maxNames = 12_000

type Render = (path: DocsPage) => string

/** Every page of the documentation and every part that can be jumped to, in the language that is rendered. */
export const docsIndex = (render: Render): DocsEntry[] => docsPaths.flatMap((path) => readEntries(path, render(path)))

const readEntries = (name: string, document: string): DocsEntry[] => {
  const main = document.slice(document.indexOf('<main'), document.indexOf('</main>'))
  const page = plainText(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? '')
  const lede = plainText(/<p class="lede">(.*?)<\/p>/s.exec(main)?.[1] ?? '')
  const sections = main
    .split(/(?=<section )/)
    .slice(1)
    .filter((section) => !section.startsWith('<section id="related"'))
  const entries = sections.flatMap((section) => readSection(name, page, section))
  // What stands before the first heading says what the page is about.
  const beginning = entries.find(({ heading, isName }) => heading === '' && isName !== true)
  const text = `${lede} ${beginning?.text ?? ''}`.trim().slice(0, maxText)
  const whole = { page: '', id: name, heading: page, text, names: beginning?.names ?? '' }
  return [whole, ...entries.filter((entry) => entry !== beginning)]
}

/** A section and the parts of it that have a heading and an address of their own. */
const readSection = (name: string, page: string, section: string): DocsEntry[] => {
  // What is for signed-in readers, and the way to the next page, is no part of the text.
  const told = section.replaceAll(
    /<details class="try-it".*?<\/details>|<nav class="neighbours".*?<\/nav>|<p [^>]*data-your-key.*?<\/p>/gs,
    '',
  )
  const [first = '', ...rest] = told.split(/(?=<h[34] id=")/)
  const title = plainText(/<h2[^>]*>(.*?)<\/h2>/s.exec(first)?.[1] ?? '')
  const ownId = /^<section[^>]* id="([^"]+)"/.exec(first)?.[1] ?? ''
  const own = readPart(`${name}#${ownId}`, page, title, first)
  const parts = rest.map((part) => {
    const [, id = '', heading = ''] = /^<h[34] id="([^"]+)"[^>]*>(.*?)<\/h[34]>/s.exec(part) ?? []
    return readPart(`${name}#${id}`, page, plainText(heading), part)
  })
  const place = title === '' || title === page ? page : `${page} · ${title}`
  return [own, ...parts, ...readNames(name, place, told)]
}

const readPart = (id: string, page: string, heading: string, part: string): DocsEntry => {
  // Rows with an address of their own are found by themselves.
  const rest = part.replaceAll(/<h[234].*?<\/h[234]>|<tr id="[^"]+" data-find=.*?<\/tr>/gs, '')
  return {
    page,
    id,
    heading,
    text: plainText(rest.replaceAll(/<(pre|ul class="schema"|button).*?<\/(pre|ul|button)>/gs, ' ')).slice(0, maxText),
    names: codes(rest).slice(0, maxNames),
  }
}

/** What is looked up by its name: a field of a request, a code of an error, a setting. */
const readNames = (name: string, page: string, section: string): DocsEntry[] =>
  section
    .split(/(?=<(?:li|tr) id="[^"]+" data-find=")/)
    .slice(1)
    .map((row) => {
      const [start = '', id = '', heading = ''] = /^<(?:li|tr) id="([^"]+)" data-find="([^"]+)">/.exec(row) ?? []
      const own = row.slice(start.length).split(/<\/summary>|<\/tr>/)[0] ?? ''
      return {
        page,
        id: `${name}#${id}`,
        heading,
        text: plainText(own).slice(heading.length, maxNameText).trim(),
        names: codes(own),
        isName: true,
      }
    })

const codes = (html: string): string =>
  [...new Set([...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, code = '']) => plainText(code)))].join(' ')

const plainText = (html: string): string =>
  html
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:)、。])/g, '')
    .trim()
