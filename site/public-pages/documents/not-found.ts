import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { brokenDrawing } from '../parts/broken-drawing.ts'
import { footer } from '../parts/footer.ts'
import { header } from '../parts/header.ts'

/** The page for unknown addresses: a single strand without its answer. */
export const renderNotFound = (context: PageContext): Page => {
  const { frame } = context.words
  return {
    title: `${frame.notFoundTitle} · Helix`,
    description: null,
    script: 'pages',
    body: html`${header(context)}
<main id="page" class="column not-found">${brokenDrawing()}<h1>${frame.notFoundTitle}</h1><p>${frame.notFoundText}</p>
<div class="actions"><a class="button primary big" href="/">${frame.notFoundHome}</a><a class="button big" href="/docs">${frame.notFoundDocs}</a></div></main>
${footer(context)}`,
  }
}
