import { checks } from '../../../conformance/checks.ts'
import { extensionFields } from '../../../conformance/compatibility/extension-fields.ts'
import type { FieldSupport } from '../../../conformance/compatibility/field-support.ts'
import { messageFields } from '../../../conformance/compatibility/message-fields.ts'
import { requestFields } from '../../../conformance/compatibility/request-fields.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markedText } from '../parts/marked-text.ts'

/** Written from the table whose every row a test sends to the server. */
export const renderCompatibility = (context: PageContext): Page => {
  const { docs } = context.words
  const tables = [
    { id: 'messages', text: docs.compatibilityMessages, fields: messageFields },
    { id: 'fields', text: docs.compatibilityFields, fields: requestFields },
    { id: 'extensions', text: docs.compatibilityExtensions, fields: extensionFields },
  ]
  return docsPage(context, {
    heading: docs.compatibility,
    description: docs.compatibilityDescription,
    lead: docs.compatibilityLead,
    leadRest: docs.compatibilityLeadRest,
    contents: [...tables, { id: 'behaviours', text: docs.compatibilityBehaviours }],
    body: html`<div class="prose"><p>${docs.compatibilityText}</p></div>
${tables.map(({ id, text, fields }) => html`<section id="${id}"><h2>${text}</h2>${fieldTable(fields, context)}</section>`)}
<section id="behaviours"><h2>${docs.compatibilityBehaviours}</h2><div class="prose"><p>${docs.compatibilityBehavioursText}</p></div>${checkTable(context)}</section>`,
  })
}

const fieldTable = (fields: readonly FieldSupport[], { words: { docs } }: PageContext): Html => {
  const verdicts: Record<FieldSupport['verdict'], Html> = {
    supported: html`<span class="tag ok">${docs.verdictSupported}</span>`,
    'no effect': html`<span class="tag off">${docs.verdictNoEffect}</span>`,
    'ignored and reported': html`<span class="tag off">${docs.verdictReported}</span>`,
    refused: html`<span class="tag warn">${docs.verdictRefused}</span>`,
  }
  const row = ({ field, value, verdict, code, note }: FieldSupport): Html =>
    html`<tr><td>${isName(field) ? html`<code>${field}</code>` : docs.translate(field)}${value === undefined ? null : html`<br><span class="secondary">${valueText(docs.translate(value))}</span>`}</td><td>${verdicts[verdict]}${code === undefined ? null : html`<br><code class="muted">${code}</code>`}</td><td class="secondary">${note === undefined ? null : markedText(docs.translate(note))}</td></tr>`
  return html`<table class="table cards text-table"><thead><tr><th scope="col">${docs.field}</th><th scope="col">${docs.verdict}</th><th scope="col">${docs.note}</th></tr></thead><tbody>${fields.map(row)}</tbody></table>`
}

/** The last row of the extensions speaks of all other fields, in words. */
const isName = (field: string): boolean => /^[\w.]+$/.test(field)

/** One value or a list of them can be typed as it stands; anything longer is said in words. */
const valueText = (value: string): Html[] =>
  /^\w+(, \w+)*$/.test(value)
    ? value.split(', ').map((one, index) => html`${index > 0 ? ', ' : null}<code>${one}</code>`)
    : markedText(value)

/** Number and area share a column, so that its edges stand where those of the other tables do. */
const checkTable = ({ words: { docs } }: PageContext): Html =>
  html`<table class="table cards text-table numbered"><thead><tr><th scope="col"><span class="number">#</span>${docs.area}</th><th scope="col" colspan="2">${docs.holds}</th></tr></thead>
<tbody>${checks.map(({ number, area, text }) => html`<tr><td class="secondary"><span class="number muted">${number}</span>${docs.translate(area)}</td><td colspan="2">${markedText(docs.translate(text))}</td></tr>`)}</tbody></table>`
