import { openapiDocument } from '../../../src/api/openapi/document.ts'
import { type ListedOperation, operations } from '../../../src/api/openapi/operations.ts'
import type { JsonSchema } from '../../../src/http/schema/schema.ts'
import { originMark } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markedText } from '../parts/marked-text.ts'
import { schemaList } from '../parts/schema-list.ts'
import { tryIt } from '../parts/try-it.ts'
import { yourKey } from '../parts/your-key.ts'

const { components } = openapiDocument('', { strictRequests: false })
const schemas: Readonly<Record<string, JsonSchema>> = components.schemas

/** Rendered from the table and the schemas that the OpenAPI document is written from. */
export const renderApi = (context: PageContext): Page => {
  const { docs } = context.words
  return docsPage(context, {
    heading: docs.api,
    description: docs.apiDescription,
    lead: docs.apiLead(operations.length),
    leadRest: docs.apiLeadRest,
    contents: operations.map((operation) => ({ id: operation.id, text: place(operation) })),
    body: html`<div class="prose"><p>${docs.apiText} <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a></p>
<p>${docs.apiAuth}</p>${codeBlock(context, [{ id: 'base', name: docs.apiBase, code: address }], docs.apiBase)}${yourKey(context)}</div>
${operations.map((operation) => section(operation, context))}`,
  })
}

/** Method and the whole path, which may break before a slash: several calls differ only at its end. */
const place = ({ method, path }: ListedOperation): Html => {
  const [first = '', ...rest] = path.replace(/^\/v1/, '').split(/(?=\/)/)
  return html`<span class="call"><span class="method">${method}</span> <span>${first}${rest.map((step) => html`<wbr>${step}`)}</span></span>`
}

const address = html`<span class="own-value">${originMark}/v1</span>
Authorization: Bearer <span class="own-value">$HELIX_API_KEY</span>`

const section = (operation: ListedOperation, context: PageContext): Html => {
  const { docs } = context.words
  const { id, method, path, summary, needsKey, query, body, answer, event } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return html`<section id="${id}" class="operation"><h2><span class="method">${method}</span> <code>${path.replace(/^\/v1/, '')}</code></h2>
<p>${markedText(docs.translate(summary))}${needsKey ? null : html` <span class="muted">(${docs.apiNoKey})</span>`}</p>
${tryIt(context, id)}
${names.length === 0 ? null : html`<h3>${docs.apiPathParameters}</h3><ul class="schema">${names.map((name) => html`<li><code>${name}</code> <span class="type">string</span> <span class="required">${docs.required}</span></li>`)}</ul>`}
${query === undefined ? null : html`<h3>${docs.apiQuery}</h3>${schemaList(query.json, context)}`}
${body === undefined ? null : html`<h3>${docs.apiBody}</h3>${schemaList(schemas[String(body.json.title)] ?? {}, context)}`}
${answer?.json.properties === undefined ? null : html`<h3>${docs.apiAnswer}</h3>${schemaList(answer.json, context)}`}
${event === undefined ? null : html`<h3>${docs.apiEvents}</h3>${schemaList(event.json, context)}`}</section>`
}
