import type { DocumentPage } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { docsPage } from '../parts/docs-page.ts'
import { documentFiles, readDocument, readTranslation } from '../parts/document-files.ts'
import { documentSections } from '../parts/document-sections.ts'
import { withoutDecisions } from '../parts/without-decisions.ts'

/** A file of `docs/`, in the reader's language where it is translated. */
export const renderFile =
  (page: DocumentPage) =>
  (context: PageContext): Page => {
    const { docs, documents } = context.words
    const { code } = context.language
    const original = readDocument(page)
    const translation = readTranslation(page, code)
    const isForeign = code !== 'en' && translation === null
    const sections = documentSections(context, {
      text: withoutDecisions(translation ?? original),
      original,
      from: documentFiles[page].name,
    })
    return docsPage(context, {
      heading: documents[page].title,
      description: documents[page].description,
      lead: documents[page].description,
      leadRest: '',
      contents: sections.filter(({ title }) => title !== null).map(({ id, title }) => ({ id, text: title ?? '' })),
      body: html`${isForeign ? html`<p class="secondary">${docs.englishOnly}</p>` : null}
${sections.map(
  ({ id, title, body }) =>
    html`<section id="${id}" class="from-markdown document"${isForeign ? html` lang="en"` : null}>${title === null ? null : html`<h2>${title}</h2>`}${body}</section>`,
)}`,
    })
  }
