import { operations } from '../../../src/api/openapi/operations.ts'
import { originMark } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { apiGroups } from '../parts/api-groups.ts'
import { codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markedText } from '../parts/marked-text.ts'
import { operationPlace } from '../parts/operation-place.ts'
import { yourKey } from '../parts/your-key.ts'

/** Where the reference begins: the base URL, and every endpoint with the page that describes it. */
export const renderApi = (context: PageContext): Page => {
  const { docs, reference } = context.words
  const groups = apiGroups().map((group) => ({
    ...group,
    id: group.page.slice('/docs/api/'.length),
    words: reference.groups[group.page],
  }))
  return docsPage(context, {
    heading: docs.api,
    description: docs.apiDescription,
    lead: docs.apiLead(operations.length),
    leadRest: docs.apiLeadRest,
    contents: groups.map(({ id, words }) => ({ id, text: words.title })),
    body: html`<div class="prose"><p>${docs.apiText} <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a></p>
<p>${docs.apiAuth}</p>${codeBlock(context, [{ id: 'base', name: docs.apiBase, code: address }], docs.apiBase)}${yourKey(context)}</div>
${groups.map(
  ({ page, id, words, operations: listed }) =>
    html`<section id="${id}" class="api-group"><h2><a href="${page}">${words.title}</a></h2><p class="secondary">${words.description}</p>
<ul>${listed.map((operation) => html`<li id="${operation.id}"><a href="${page}#${operation.id}">${operationPlace(operation)}</a> <span class="secondary">${markedText(docs.translate(operation.summary))}</span></li>`)}</ul></section>`,
)}`,
  })
}

const address = html`<span class="own-value">${originMark}/v1</span>
Authorization: Bearer <span class="own-value">$HELIX_API_KEY</span>`
