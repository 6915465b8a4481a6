import { type DocumentName, publicPages } from '../../src/site-server/pages.ts'
import type { DocsEntry } from '../public-pages/docs-entry.ts'

/** Longer texts would make the index larger than the pages that people read. */
const maxText = 500
const maxNames = 12_000

type Render = (name: DocumentName) => string

/** Every part of the documentation that can be jumped to, in the language that is rendered. */
export const docsIndex = (render: Render): DocsEntry[] =>
  publicPages.filter((name) => name.startsWith('/docs')).flatMap((name) => readEntries(name, render(name)))

const readEntries = (name: string, document: string): DocsEntry[] => {
  const main = document.slice(document.indexOf('<main'), document.indexOf('</main>'))
  const page = plainText(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? '')
  const sections = main.split(/(?=<section )/).slice(1)
  return sections.map((section) => {
    const id = /^<section[^>]* id="([^"]+)"/.exec(section)?.[1] ?? ''
    const heading = plainText(/<h2[^>]*>(.*?)<\/h2>/s.exec(section)?.[1] ?? '')
    // What is for signed-in readers is no part of the text.
    const rest = section.replaceAll(
      /<h2.*?<\/h2>|<details class="try-it".*?<\/details>|<p [^>]*data-your-key.*?<\/p>/gs,
      '',
    )
    const names = [...new Set([...rest.matchAll(/<code>(.*?)<\/code>/gs)].map(([, code = '']) => plainText(code)))]
    return {
      page,
      id: `${name}#${id}`,
      heading: heading === '' ? page : heading,
      text: plainText(rest.replaceAll(/<(pre|ul class="schema"|button).*?<\/(pre|ul|button)>/gs, ' ')).slice(
        0,
        maxText,
      ),
      names: names.join(' ').slice(0, maxNames),
    }
  })
}

const plainText = (html: string): string =>
  html
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:)、。])/g, '')
    .trim()
