import { Marked, type Token } from 'marked'
import { type Html, html, trusted } from '../html.ts'

type MarkdownSection = { id: string; title: string; body: Html }

/** The sections of one of our own Markdown files, by its second headings. What stands before them is left out. */
export const markdownSections = (text: string): MarkdownSection[] => {
  const marked = new Marked({
    renderer: {
      // Nothing in these files is meant as HTML.
      html: ({ text: raw }) => html`${raw}`.html,
      heading({ tokens, depth }) {
        return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // Files beside it are not on the site.
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        return /^https?:/.test(href) ? html`<a href="${href}">${trusted(inner)}</a>`.html : inner
      },
    },
  })
  const sections: { title: string; tokens: Token[] }[] = []
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading' && token.depth === 2) sections.push({ title: token.text, tokens: [] })
    else sections.at(-1)?.tokens.push(token)
  }
  return sections.map(({ title, tokens }) => ({
    id: `v${title.split(' ')[0]?.replaceAll('.', '-')}`,
    title,
    body: trusted(marked.parser(tokens)),
  }))
}
