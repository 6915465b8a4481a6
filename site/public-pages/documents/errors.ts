import { type ErrorName, errorCatalogue } from '../../../src/base/error-catalogue.ts'
import { platformErrorNames } from '../../../src/platform/contract/platform-error-names.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markedText } from '../parts/marked-text.ts'

type Row = { status: number; code: string | null; message: string }

/** Written from the server's error catalogue: first the errors of the API, then those that only this site meets. */
export const renderErrors = (context: PageContext): Page => {
  const { docs } = context.words
  const statuses = [...new Set(apiRows.map(({ status }) => status))].sort(byMeeting)
  const groups = statuses.map((status) => ({
    id: `status-${status}`,
    status,
    title: statusWord(status, docs),
    rows: apiRows.filter((row) => row.status === status),
  }))
  const jumps = groups.map(({ id, status, title }) => ({ id, text: `${status} ${title}` }))
  return docsPage(context, {
    heading: docs.errors,
    description: docs.errorsDescription,
    lead: docs.errorsLead,
    leadRest: docs.errorsLeadRest,
    contents: [...jumps, { id: 'site', text: docs.errorsOfSite }],
    body: html`<div class="prose">
${codeBlock(context, [{ id: 'error', name: 'JSON', language: 'json', code: sample }], docs.errors)}
<p>${markedText(docs.errorsText1, names)}</p><p>${markedText(docs.errorsText2, names)}</p></div>
${groups.map(({ id, status, title, rows }) => html`<section id="${id}"><h2><span class="tabular">${status}</span> ${title}</h2>${table(rows, false, context)}</section>`)}
<section id="site"><h2>${docs.errorsOfSite}</h2>${table(platformErrorNames.map(errorRow), true, context)}</section>`,
  })
}

/** Names that stand in the running text as they do on the wire. */
const names = ['param', 'null', '[DONE]', 'x-request-id', 'retry-after', 'retry-after-ms', 'x-should-retry', 'false']

const errorRow = (name: ErrorName): Row => ({
  ...errorCatalogue[name],
  message: errorCatalogue[name].message.replaceAll('{s}', ''),
})

const ofSite: ReadonlySet<ErrorName> = new Set(platformErrorNames)
const apiRows = Object.keys(errorCatalogue)
  .filter((name): name is ErrorName => name in errorCatalogue)
  .filter((name) => !ofSite.has(name))
  .map(errorRow)

/** The most common statuses come first; the rest follow by number. */
const byMeeting = (one: number, other: number): number => place(one) - place(other)
const metFirst = [401, 400, 404, 405, 413, 429]
const place = (status: number): number => (metFirst.includes(status) ? metFirst.indexOf(status) : status)

const table = (rows: readonly Row[], hasStatus: boolean, { words: { docs } }: PageContext): Html => {
  const line = (row: Row): Html =>
    html`<tr><td>${codeCell(row, docs)}${hasStatus ? html` <span class="tabular muted">${row.status}</span>` : null}</td><td lang="en">${markedText(row.message)}</td></tr>`
  return html`<table class="table cards text-table"><thead><tr><th scope="col">${docs.errorsCode}</th><th scope="col">${docs.errorsMessage}</th></tr></thead>
<tbody>${rows.map(line)}</tbody></table>`
}

const codeCell = ({ code }: Row, docs: PageContext['words']['docs']): Html =>
  code === null ? html`<span class="muted">${docs.errorsNoCode}</span>` : html`<code>${code}</code>`

const statusWord = (status: number, docs: PageContext['words']['docs']): string => {
  const words: Readonly<Record<string, string | ((...values: never[]) => string)>> = docs
  const word = words[`status${status}`] ?? (status >= 500 ? docs.status5xx : docs.status4xx)
  return typeof word === 'string' ? word : ''
}

const sample = html`{
  "error": {
    "message": "<b>Missing required parameter: 'messages'.</b>",
    "type": "invalid_request_error",
    "param": "messages",
    "code": "missing_required_parameter"
  }
}`
