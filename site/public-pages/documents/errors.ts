import { type ErrorName, errorCatalogue } from '../../../src/base/errors.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'

type Row = { status: number; code: string | null; message: string }

/** Written from the catalogue that the server answers by. */
export const renderErrors = (context: PageContext): Page => {
  const { docs } = context.words
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b)
  const groups = statuses.map((status) => ({ id: `status-${status}`, status, title: statusWord(status, docs) }))
  return docsPage(context, {
    heading: docs.errors,
    description: docs.errorsDescription,
    lead: docs.errorsLead,
    leadRest: docs.errorsLeadRest,
    contents: groups.map(({ id, status, title }) => ({ id, text: `${status} ${title}` })),
    body: html`<div class="prose">
${codeBlock(context, [{ id: 'error', name: 'JSON', code: sample }], docs.errors)}
<p>${docs.errorsText1}</p><p>${docs.errorsText2}</p></div>
${groups.map(({ id, status, title }) => html`<section id="${id}"><h2><span class="num">${status}</span> ${title}</h2>${table(status, context)}</section>`)}`,
  })
}

const rows: Row[] = Object.keys(errorCatalogue)
  .filter((name): name is ErrorName => name in errorCatalogue)
  .map((name) => ({ ...errorCatalogue[name], message: errorCatalogue[name].message.replaceAll('{s}', '') }))

const table = (status: number, { words: { docs } }: PageContext): Html => {
  const line = ({ code, message }: Row): Html =>
    html`<tr><td><code>${code ?? 'null'}</code></td><td lang="en">${marked(message)}</td></tr>`
  return html`<table class="table reading"><thead><tr><th scope="col">${docs.errorsCode}</th><th scope="col">${docs.errorsMessage}</th></tr></thead>
<tbody>${rows.filter((row) => row.status === status).map(line)}</tbody></table>`
}

/** Code in backticks becomes code; braces stand for what differs. */
const marked = (text: string): Html[] =>
  text
    .split(/(`[^`]+`|\{\w+\})/)
    .map((part) =>
      part.startsWith('`')
        ? html`<code>${part.slice(1, -1)}</code>`
        : part.startsWith('{')
          ? html`<i class="quiet">${part}</i>`
          : html`${part}`,
    )

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
