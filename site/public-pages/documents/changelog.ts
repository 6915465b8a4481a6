import { readFileSync } from 'node:fs'
import { versionMark } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markdownSections } from '../parts/markdown-sections.ts'

/** CHANGELOG.md, which is English in every language. */
export const renderChangelog = (context: PageContext): Page => {
  const { docs } = context.words
  const versions = markdownSections(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'))
  return docsPage(context, {
    heading: docs.changelog,
    description: docs.changelogDescription,
    lead: docs.changelogLead,
    leadRest: `${docs.changelogLeadRest} ${versionMark}`,
    contents: versions.map(({ id, title }) => ({ id, text: title })),
    body: html`${context.language.code === 'en' ? null : html`<p class="secondary">${docs.englishOnly}</p>`}
${versions.map(({ id, title, body }) => html`<section id="${id}" class="from-markdown" lang="en"><h2>${title}</h2>${body}</section>`)}`,
  })
}
