import { errorCatalogue } from '../../../src/base/error-catalogue.ts'
import { settings } from '../../../src/config/settings.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import { type CodeSample, codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'
import { errorTable } from '../parts/error-table.ts'
import { markedText } from '../parts/marked-text.ts'

/** Bounds come from the settings, errors from their catalogue. */
export const renderRetries = (context: PageContext): Page => {
  const words = context.words.retries
  const { prompt } = context.words.landing
  const reuse = errorCatalogue.idempotency_key_reuse
  const cases: [string, Html | string][] = [
    [words.first, words.firstGet],
    [words.running, words.runningGet],
    [words.ended, words.endedGet],
    [words.failed, words.failedGet],
    [words.other, html`${reuse.status} <code>${reuse.code}</code>`],
  ]
  const bound = (name: BoundName): Html =>
    html`<tr><td><code>${name}</code></td><td class="tabular">${boundText(name, words)}</td><td class="secondary">${words[name]}</td></tr>`
  return docsPage(context, {
    heading: words.title,
    description: words.description,
    lead: words.lead,
    leadRest: words.leadRest,
    contents: [
      { id: 'same', text: words.same },
      { id: 'resume', text: words.resume },
      { id: 'billed', text: words.billed },
      { id: 'bounds', text: words.bounds },
      { id: 'errors', text: words.errors },
    ],
    body: html`<section id="same"><h2>${words.same}</h2><div class="prose"><p>${markedText(words.sameText, names)}</p>
${codeBlock(context, retry(prompt), words.same)}</div>
<table class="table cards text-table"><thead><tr><th scope="col">${words.youSend}</th><th scope="col">${words.youGet}</th></tr></thead><tbody>${cases.map(([sent, got]) => html`<tr><td>${sent}</td><td class="secondary">${got}</td></tr>`)}</tbody></table>
<div class="prose"><p>${words.belongs}</p></div></section>
<section id="resume"><h2>${words.resume}</h2><div class="prose"><p>${markedText(words.resumeText, names)}</p>
${codeBlock(context, resume(prompt), words.resume)}</div></section>
<section id="billed"><h2>${words.billed}</h2><div class="prose"><p>${words.billedText}</p></div></section>
<section id="bounds"><h2>${words.bounds}</h2><div class="prose"><p>${words.boundsText}</p></div>
<table class="table cards text-table"><thead><tr><th scope="col">${words.setting}</th><th scope="col">${words.standard}</th><th scope="col">${words.meaning}</th></tr></thead><tbody>${bounds.map(bound)}</tbody></table></section>
<section id="errors"><h2>${words.errors}</h2>${errorTable(errors, words)}</section>`,
  })
}

const bounds = [
  'replayRetentionHours',
  'resumeGraceMs',
  'replayAnswerLimitBytes',
  'replayMemoryLimitBytes',
  'replayDiskLimitBytes',
] as const
type BoundName = (typeof bounds)[number]

const boundText = (name: BoundName, words: PageContext['words']['retries']): string => {
  const value = settings[name].default
  if (name.endsWith('Hours')) return words.hours(String(value))
  if (name.endsWith('Ms')) return words.seconds(String(value / 1000))
  return words.mebibytes((value / 1_048_576).toLocaleString('en-GB'))
}

const errors = [
  'invalid_idempotency_key',
  'idempotency_key_reuse',
  'stream_not_resumable',
  'answer_not_kept',
  'replay_buffer_full',
  'ledger_unavailable',
] as const

const names = ['Idempotency-Key', 'idempotent-replayed', 'Last-Event-ID', 'true', 'id']

const body = (prompt: string): string => `
{
  "model": "%chat%",
  "stream": true,
  "messages": [{"role": "user", "content": "${prompt}"}]
}`

const key = 'Idempotency-Key: «story-1»'

const retry = (prompt: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: body(prompt),
    headers: [key],
    python: `
stream = client.chat.completions.create(
    model="%chat%", stream=True,
    messages=[{"role": "user", "content": "${prompt}"}],
    extra_headers={"Idempotency-Key": «"story-1"»},
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
    typescript: `
const stream = await client.chat.completions.create(
  {
    model: '%chat%',
    stream: true,
    messages: [{ role: 'user', content: '${prompt}' }],
  },
  { headers: { 'Idempotency-Key': «'story-1'» } },
)
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`,
  })

const resume = (prompt: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: body(prompt),
    headers: [key, 'Last-Event-ID: «chatcmpl-…:41»'],
    python: '',
    typescript: '',
  }).slice(0, 1)
