import { Copy } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { type DocsLink, docsPages } from './docs-pages.ts'
import { docsSearch } from './docs-search.ts'
import { footer } from './footer.ts'
import { header } from './header.ts'
import { icon } from './icon.ts'

type DocsPage = {
  heading: string
  description: string
  lead: string
  leadRest: string
  /** Parts of the page that can be jumped to. */
  contents: readonly { id: string; text: string | Html }[]
  /** Its sections have fields and samples side by side. */
  isReference?: boolean
  body: Html
}

/** The page as Markdown: to copy, which needs a script, and at an address of its own. */
const pageTools = ({ name, words: { docs, frame } }: PageContext): Html =>
  html`<div class="page-tools"><button type="button" class="button plain" hidden data-copy-page="${name}.md" data-copied="${frame.copied}">${icon(Copy, 15)}<span aria-live="polite">${docs.copyMarkdown}</span></button> <a href="${name}.md">${docs.markdown}</a></div>`

/** The pages before and after this one, in the order of the navigation. */
const neighbours = (
  { name, words: { docs } }: PageContext,
  groups: readonly { pages: readonly DocsLink[] }[],
): Html => {
  const pages = groups.flatMap(({ pages: listed }) => listed)
  const at = pages.findIndex(({ path }) => path === name)
  const link = (page: DocsLink | undefined, rel: 'prev' | 'next', said: string): Html | null =>
    page === undefined
      ? null
      : html`<a rel="${rel}" href="${page.path}"><span class="muted">${said}</span> <b>${page.title}</b></a>`
  return html`<nav class="neighbours" aria-label="${docs.neighbours}">${link(pages[at - 1], 'prev', docs.previous)}${link(pages[at + 1], 'next', docs.next)}</nav>`
}

/** A page of the documentation: the pages at the left, running text 640 px wide, and what this one holds at the right. */
export const docsPage = (context: PageContext, page: DocsPage): Page => {
  const { docs } = context.words
  const jump = ({ id, text }: DocsPage['contents'][number]) => html`<li><a href="#${id}">${text}</a></li>`
  const jumps = page.contents.map(jump)
  const contents =
    jumps.length < 2
      ? null
      : html`<nav class="on-this-page" aria-label="${docs.onThisPage}"><p>${docs.onThisPage}</p><ul>${jumps}</ul></nav>`
  // Beside fields and samples there is no room for a third column: the parts of the page stand below its name.
  const link = ({ path, title }: DocsLink) =>
    html`<li><a href="${path}"${context.name === path ? html` aria-current="page"` : null}>${title}</a>${page.isReference && context.name === path ? contents : null}</li>`
  const listed = docsPages(context)
  const groups = listed.map(({ title, pages }) => html`<div><p>${title}</p><ul>${pages.map(link)}</ul></div>`)
  const groupLink = ({ title, pages }: (typeof listed)[number]) =>
    html`<li><a href="${pages[0]?.path ?? '/docs'}"${pages.some(({ path }) => path === context.name) ? html` aria-current="true"` : null}>${title}</a></li>`
  return {
    title: docs.title(page.heading),
    description: page.description,
    script: 'pages',
    isDocs: true,
    body: html`${header(context)}
<div class="column docs${page.isReference ? ' reference' : null}">
<div class="side">${docsSearch(context)}<nav class="docs-groups" aria-label="${docs.groups}"><ul>${listed.map(groupLink)}</ul></nav><nav class="docs-pages" aria-label="${docs.navigation}">${groups}</nav></div>
<main id="page"><header><h1 class="page-name">${page.heading}</h1><p class="lede">${page.lead} <span class="muted">${page.leadRest}</span></p>${pageTools(context)}</header>
${jumps.length < 2 ? null : html`<details class="contents"><summary>${docs.onThisPage}</summary><ul>${jumps}</ul></details>`}
${page.body}
${neighbours(context, listed)}</main>
${page.isReference ? null : contents}</div>
${footer(context)}`,
  }
}
