import { describeFields } from '../../../src/api/openapi/describe-fields.ts'
import { openapiDocument } from '../../../src/api/openapi/document.ts'
import type { ListedOperation } from '../../../src/api/openapi/operations.ts'
import type { JsonSchema } from '../../../src/http/schema/schema.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { codeBlock } from './code-block.ts'
import { markedText } from './marked-text.ts'
import { operationSamples } from './operation-samples.ts'
import { schemaList } from './schema-list.ts'
import { tryIt } from './try-it.ts'
import { tryWithKey } from './try-with-key.ts'

const { components } = openapiDocument('', { strictRequests: false })
const schemas: Readonly<Record<string, JsonSchema>> = components.schemas

/** One endpoint, rendered from the row and the schemas that the OpenAPI document is written from. */
export const operationSection = (operation: ListedOperation, context: PageContext): Html => {
  const { docs, reference } = context.words
  const { id, method, path, summary, needsKey, query, body, answer, otherAnswer, event } = operation
  const samples = operationSamples(operation, context)
  return html`<section id="${id}" class="operation"><div class="fields"><h2><span class="method">${method}</span> <code>${path.replace(/^\/v1/, '')}</code></h2>
<p>${markedText(docs.translate(summary))}${needsKey ? null : html` <span class="muted">(${docs.apiNoKey})</span>`}</p>
${pathParameters(path, context)}
${query === undefined ? null : html`<h3>${docs.apiQuery}</h3>${schemaList(describeFields(query.json, 'query'), context, id)}`}
${part(docs.apiBody, body?.json, context, id)}
${part(docs.apiAnswer, answer?.json, context)}
${part(reference.otherAnswer, otherAnswer?.json, context)}
${part(docs.apiEvents, event?.json, context)}</div>
<div class="samples">${codeBlock(context, samples, reference.samples(`${method} ${path}`))}
${tryIt(context, id) ?? tryWithKey(context, operation)}</div></section>`
}

const pathParameters = (path: string, { words: { docs, reference } }: PageContext): Html | null => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return null
  return html`<h3>${docs.apiPathParameters}</h3><ul class="schema">${names.map(
    (name) =>
      html`<li><code>${name}</code> <span class="type">string</span> <span class="required">${docs.required}</span><p class="secondary">${reference.pathParameter(name)}</p></li>`,
  )}</ul>`
}

/** What is sent is read first, so it is open; what comes back folds out. */
const part = (title: string, json: JsonSchema | undefined, context: PageContext, place?: string): Html | null => {
  const schema = schemas[String(json?.title)]
  const list = schema === undefined ? null : schemaList(schema, context, place)
  if (list === null || !list.html.includes('<li')) return null
  if (place !== undefined) return html`<h3>${title}</h3>${list}`
  return html`<details class="part"><summary><h3>${title}</h3></summary>${list}</details>`
}
