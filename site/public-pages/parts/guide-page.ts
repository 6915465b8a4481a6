import type { DocsPage } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { type CodeSample, codeBlock } from './code-block.ts'
import { docsPage } from './docs-page.ts'
import { docsPages } from './docs-pages.ts'
import { markedText } from './marked-text.ts'
import { yourKey } from './your-key.ts'

type SectionWords = { readonly title: string; readonly text: string; readonly after?: string }

type GuideWords<Section extends string> = {
  readonly title: string
  readonly description: string
  readonly lead: string
  readonly leadRest: string
  readonly sections: Readonly<Record<Section, SectionWords>>
}

type Guide<Section extends string> = {
  words: GuideWords<Section>
  /** The code of each section, in their order; none where there is only text. */
  samples: readonly (readonly [section: Section, samples: readonly CodeSample[]])[]
  related: readonly DocsPage[]
}

/** A short guide: each section says one thing, then shows it. */
export const guidePage = <Section extends string>(
  context: PageContext,
  { words, samples, related }: Guide<Section>,
): Page => {
  const { docs } = context.words
  const section = ([id, code]: Guide<Section>['samples'][number], index: number): Html => {
    const { title, text, after } = words.sections[id]
    return html`<section id="${id}"><h2>${title}</h2><p>${markedText(text)}</p>
${code.length === 0 ? null : codeBlock(context, code, title)}${after === undefined ? null : html`<p>${markedText(after)}</p>`}${index === firstCode ? yourKey(context) : null}</section>`
  }
  const firstCode = samples.findIndex(([, code]) => code.length > 1)
  const links = docsPages(context)
    .flatMap(({ pages }) => pages)
    .filter(({ path }) => related.includes(path))
    // Outside its group, where the reference begins is the reference.
    .map(({ path, title }) => ({ path, title: path === '/docs/api' ? docs.api : title }))
  return docsPage(context, {
    heading: words.title,
    description: words.description,
    lead: words.lead,
    leadRest: words.leadRest,
    contents: [
      ...samples.map(([id]) => ({ id, text: words.sections[id].title })),
      { id: 'related', text: docs.related },
    ],
    body: html`<div class="prose">${samples.map(section)}
<section id="related"><h2>${docs.related}</h2><ul class="bullets">${links.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul></section></div>`,
  })
}
