import type { JsonSchema } from '../../../src/http/schema/schema.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { markedText } from './marked-text.ts'
import { childSchemas, schemaDescription, schemaType } from './schema-type.ts'

/** The fields of a schema, each with its type and bounds; what lies deeper opens on demand. With `place`, each has an address below it. */
export const schemaList = (schema: JsonSchema, context: PageContext, place?: string): Html => {
  const variants = schema.properties === undefined ? childSchemas(schema) : []
  if (variants.length > 0)
    return html`<ul class="schema">${variants.map(
      ({ title, schema: variant }) =>
        html`<li><details><summary><code>${title ?? firstName(variant)}</code></summary>${schemaList(variant, context)}</details></li>`,
    )}</ul>`
  const properties = hasSchemas(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  return html`<ul class="schema">${properties.map(([name, inner]) => field(name, inner, required.includes(name), context, place))}</ul>`
}

const field = (
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  context: PageContext,
  place: string | undefined,
): Html => {
  const { docs } = context.words
  const children = childSchemas(schema)
  const description = schemaDescription(schema)
  const told =
    description === null ? null : html` <span class="secondary about">${markedText(docs.translate(description))}</span>`
  const head = html`<code>${name}</code> <span class="type">${schemaType(schema, docs)}</span>${isRequired ? html` <span class="required">${docs.required}</span>` : null}`
  const own = place === undefined ? null : html` id="${place}.${name}" data-find="${name}"`
  if (children.length === 0) return html`<li${own}>${head}${told}</li>`
  const inside = children.map(
    ({ title, schema: child }) =>
      html`${title === null ? null : html`<p class="variant"><code>${title}</code></p>`}${schemaList(child, context)}`,
  )
  return html`<li${own}><details><summary>${head}${told}</summary>${inside}</details></li>`
}

/** What tells a variant from the others if no field has a single value. */
const firstName = (schema: JsonSchema): string => Object.keys(Object(schema.properties))[0] ?? ''

/** The schemas of the API are ours: what is under `properties` are schemas. */
const hasSchemas = (value: unknown): value is Record<string, JsonSchema> => typeof value === 'object' && value !== null
