import { type LimitName, limitNames } from '../../../src/config/limit-kinds.ts'
import { newOrganisationLimits } from '../../../src/config/new-organisation-limits.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { docsPage } from '../parts/docs-page.ts'
import { errorTable } from '../parts/error-table.ts'
import { markedText } from '../parts/marked-text.ts'

/** Defaults come from the settings, refusals from the catalogue of errors. */
export const renderLimits = (context: PageContext): Page => {
  const words = context.words.limits
  const row = (name: LimitName): Html =>
    html`<tr><td>${words.kinds[name].name}</td><td class="tabular">${figure(newOrganisationLimits[name], words.noLimit)}</td><td class="secondary">${words.kinds[name].counts}</td></tr>`
  const header = ([name, meaning]: (typeof headers)[number]): Html =>
    html`<tr><td><code>x-ratelimit-${name}-requests</code><br><code>x-ratelimit-${name}-tokens</code></td><td class="secondary">${markedText(words[meaning], samples)}</td></tr>`
  const field = ([name, meaning]: (typeof limitFields)[number]): Html =>
    html`<tr><td><code>${name}</code></td><td class="secondary">${markedText(words[meaning], scopes)}</td></tr>`
  return docsPage(context, {
    heading: words.title,
    description: words.description,
    lead: words.lead,
    leadRest: words.leadRest,
    contents: [
      { id: 'what', text: words.what },
      { id: 'counting', text: words.counting },
      { id: 'refusals', text: words.refusals },
      { id: 'headers', text: words.headers },
    ],
    body: html`<section id="what"><h2>${words.what}</h2><div class="prose"><p>${words.whatText}</p></div>
<table class="table cards text-table"><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.standard}</th><th scope="col">${words.counts}</th></tr></thead><tbody>${limitNames.map(row)}</tbody></table></section>
<section id="counting"><h2>${words.counting}</h2><div class="prose"><p>${markedText(words.held)}</p><p>${words.window}</p><p><a href="/limits">${words.yours}</a></p></div></section>
<section id="refusals"><h2>${words.refusals}</h2><div class="prose"><p>${markedText(words.refusalsText, names)}</p></div>
${errorTable(refusals, words)}
<div class="prose"><p>${markedText(words.errorLimitText, ['error.limit', 'error.details', '/v1/messages'])}</p></div>
<table class="table cards text-table"><thead><tr><th scope="col">${words.field}</th><th scope="col">${words.meaning}</th></tr></thead><tbody>${limitFields.map(field)}</tbody></table></section>
<section id="headers"><h2>${words.headers}</h2><div class="prose"><p>${words.headersText}</p></div>
<table class="table cards text-table"><thead><tr><th scope="col">${words.header}</th><th scope="col">${words.meaning}</th></tr></thead><tbody>${headers.map(header)}</tbody></table></section>`,
  })
}

const figure = (limit: number | null, none: string): string => (limit === null ? none : limit.toLocaleString('en-GB'))

const refusals = [
  'rate_limit_requests',
  'rate_limit_tokens',
  'rate_limit_in_flight',
  'too_many_refused',
  'request_above_rate_limit',
  'insufficient_quota',
] as const

/** Of `error.limit`, as `src/http/error-body.ts` writes it. */
const limitFields = [
  ['name', 'limitName'],
  ['scope', 'limitScope'],
  ['limit', 'limitLimit'],
  ['used', 'limitUsed'],
  ['requested', 'limitRequested'],
  ['resets_at', 'limitResetsAt'],
] as const

const headers = [
  ['limit', 'headerLimit'],
  ['remaining', 'headerRemaining'],
  ['reset', 'headerReset'],
  ['scope', 'headerScope'],
] as const

const names = ['retry-after', 'retry-after-ms', 'x-should-retry', 'false']
const scopes = ['key', 'organisation', 'server', 'owner', 'address', 'null']
const samples = ['17ms', '1.5s', '1m0s', 'key', 'organisation', 'server']
