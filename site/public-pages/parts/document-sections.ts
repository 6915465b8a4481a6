import { Marked, type Token, type Tokens } from 'marked'
import { originMark } from '../../../src/site-server/pages.ts'
import { type Html, html, trusted } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { codeBlock } from './code-block.ts'
import { documentLink } from './document-links.ts'

type DocumentSection = { id: string; title: string | null; body: Html }

/** `original` is the English text, whose headings name the places that links lead to; `from` is its path in `docs/`. */
type Source = { text: string; original: string; from: string }

/** The sections of a document by its second headings; the first has no title if something stands before them. */
export const documentSections = (context: PageContext, { text, original, from }: Source): DocumentSection[] => {
  const ids = headingIds(original)
  let heading = 0
  const nextId = (): string => ids[heading++] ?? ''
  const marked = createMarked(context, from, nextId)
  const sections: { id: string; title: string | null; tokens: Token[] }[] = []
  const bodies: DocumentSection[] = []
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading' && token.depth === 1) continue
    if (token.type === 'heading' && token.depth === 2) sections.push({ id: '', title: token.text, tokens: [] })
    else if (sections.length === 0) sections.push({ id: 'introduction', title: null, tokens: [token] })
    else sections.at(-1)?.tokens.push(token)
  }
  for (const { id, title, tokens } of sections) {
    const own = title === null ? id : nextId()
    bodies.push({ id: own, title: title?.replaceAll('`', '') ?? null, body: trusted(marked.parser(tokens)) })
  }
  return bodies.filter(({ title, body }) => title !== null || body.html.trim() !== '')
}

/** The headings below the first, as the places that GitHub gives them. */
export const headingIds = (text: string): string[] => {
  const headings = new Marked().lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading')
  return headings.filter(({ depth }) => depth > 1).map(({ text: title }) => placeName(title))
}

const placeName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const createMarked = (context: PageContext, from: string, nextId: () => string): Marked =>
  new Marked({
    renderer: {
      // Nothing in these files is meant as HTML.
      html: ({ text }) => html`${text}`.html,
      heading({ tokens, depth }) {
        return `<h${depth} id="${nextId()}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = documentLink(href, from)
        return target === null ? inner : html`<a href="${target}">${trusted(inner)}</a>`.html
      },
      code({ text, lang }) {
        const name = lang ?? ''
        const language = languages.get(name)
        const code = html`${withOrigin(text)}`
        const sample = { id: 'code', name, code, ...(language === undefined ? {} : { language }) }
        return codeBlock(context, [sample], name === '' ? context.words.docs.code : name).html
      },
      codespan: ({ text }) => html`<code>${withOrigin(text)}</code>`.html,
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          row
            .map(
              ({ tokens }) =>
                `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`,
            )
            .join('')
        const wide = header.length > 3 ? ' wide' : ''
        return `<div class="table-frame" tabindex="0" role="group" aria-label="${html`${header.map(({ text }) => text).join(', ')}`.html}"><table class="table${wide}"><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div>`
      },
    },
  })

/** The address that the reader used, in place of the one that documents are written with. */
const withOrigin = (text: string): string => text.replaceAll('http://localhost:8080', originMark)

const languages: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['json', 'json'],
  ['ts', 'typescript'],
  ['python', 'python'],
  ['yaml', 'yaml'],
  ['go', 'go'],
])
