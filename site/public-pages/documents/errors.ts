import { type ErrorName, errorCatalogue } from '../../../src/base/error-catalogue.ts'
import { platformErrorNames } from '../../../src/platform/contract/platform-error-names.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import { type CodeSample, codeBlock } from '../parts/code-block.ts'
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
    contents: [
      { id: 'handle', text: docs.errorsHandle },
      { id: 'retry', text: docs.errorsRetry },
      ...jumps,
      { id: 'site', text: docs.errorsOfSite },
    ],
    body: html`<div class="prose">
${codeBlock(context, [{ id: 'error', name: 'JSON', language: 'json', code: sample }], docs.errors)}
<p>${markedText(docs.errorsText1, names)}</p><p>${markedText(docs.errorsText2, names)}</p></div>
<section id="handle"><h2>${docs.errorsHandle}</h2><div class="prose"><p>${markedText(docs.errorsHandleText, names)}</p>${codeBlock(context, handling(context.words.landing.prompt), docs.errorsHandle)}</div></section>
<section id="retry"><h2>${docs.errorsRetry}</h2><div class="prose"><p>${markedText(docs.errorsRetryText, names)}</p></div>
<table class="table cards text-table"><thead><tr><th scope="col">${docs.errorsCode}</th><th scope="col">${docs.errorsAdvice}</th></tr></thead><tbody>${advice.map(([errors, word]) => html`<tr><td>${errors.map((each) => html`<code>${each}</code> `)}</td><td>${markedText(docs[word], names)}</td></tr>`)}</tbody></table></section>
${groups.map(({ id, status, title, rows }) => html`<section id="${id}"><h2><span class="tabular">${status}</span> ${title}</h2>${table(rows, false, context)}</section>`)}
<section id="site"><h2>${docs.errorsOfSite}</h2>${table(platformErrorNames.map(errorRow), true, context)}</section>`,
  })
}

/** Names that stand in the running text as they do on the wire. */
const names = [
  'param',
  'null',
  '[DONE]',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'false',
  'Idempotency-Key',
]

/** By status, and by code where one status has two answers. */
const advice = [
  [['400', '404', '405', '409', '413', '415'], 'errorsAdviceRequest'],
  [['401', '403'], 'errorsAdviceKey'],
  [['429 rate_limit_exceeded'], 'errorsAdviceLimit'],
  [['429 insufficient_quota'], 'errorsAdviceQuota'],
  [['408', '500', '502', '503', '504'], 'errorsAdviceServer'],
] as const

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
    html`<tr${rowId(row, rows, hasStatus)}><td>${codeCell(row, docs)}${hasStatus ? html` <span class="tabular muted">${row.status}</span>` : null}</td><td lang="en">${markedText(row.message)}</td></tr>`
  return html`<table class="table cards text-table"><thead><tr><th scope="col">${docs.errorsCode}</th><th scope="col">${docs.errorsMessage}</th></tr></thead>
<tbody>${rows.map(line)}</tbody></table>`
}

/** The first row of a code in a table has its place: what a client shows of an error leads there. */
const rowId = (row: Row, rows: readonly Row[], isOfSite: boolean): Html | null =>
  row.code === null || rows.find(({ code }) => code === row.code) !== row
    ? null
    : html` id="${isOfSite ? 'site-' : ''}${row.code}-${String(row.status)}" data-find="${row.code}"`

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

const handling = (prompt: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "messages": [{"role": "user", "content": "${prompt}"}]
}`,
    pythonImports: 'import openai\n',
    python: `
try:
    completion = client.chat.completions.create(
        model="%chat%",
        messages=[{"role": "user", "content": "${prompt}"}],
    )
    print(completion.choices[0].message.content)
except openai.RateLimitError as error:
    print("Wait", error.response.headers.get("retry-after"), "seconds:", error.code)
except openai.APIStatusError as error:
    print(error.status_code, error.code, error.param, error.request_id)
except openai.APIConnectionError as error:
    print("The server cannot be reached:", error.__cause__)`,
    typescript: `
try {
  const completion = await client.chat.completions.create({
    model: '%chat%',
    messages: [{ role: 'user', content: '${prompt}' }],
  })
  console.log(completion.choices[0]?.message.content)
} catch (error) {
  if (error instanceof OpenAI.RateLimitError) console.log('Wait', error.headers.get('retry-after'), 'seconds:', error.code)
  else if (error instanceof OpenAI.APIConnectionError) console.log('The server cannot be reached:', error.cause)
  else if (error instanceof OpenAI.APIError) console.log(error.status, error.code, error.param, error.requestID)
  else throw error
}`,
  })
