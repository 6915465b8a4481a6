import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { chatSamples } from '../parts/chat-samples.ts'
import { clientSamples } from '../parts/client-samples.ts'
import { type CodeSample, codeBlock } from '../parts/code-block.ts'
import { docsPage } from '../parts/docs-page.ts'
import { markedText } from '../parts/marked-text.ts'
import { sampleCode } from '../parts/sample-code.ts'
import { yourKey } from '../parts/your-key.ts'

export const renderQuickstart = (context: PageContext): Page => {
  const { quickstart: words, docs, frame } = context.words
  const shell = (id: string, code: ReturnType<typeof html>) =>
    codeBlock(context, [{ id, name: 'sh', code, language: 'bash' }], frame.code)
  const steps = [
    { id: 'start', text: words.startTitle },
    { id: 'key', text: words.keyTitle },
    { id: 'call', text: words.callTitle },
  ]
  const rest = [
    { id: 'stream', text: words.streamTitle },
    { id: 'model', text: words.modelTitle },
    { id: 'next', text: words.nextTitle },
  ]
  return docsPage(context, {
    heading: docs.quickstart,
    description: words.description,
    lead: words.lead,
    leadRest: words.leadRest,
    contents: [...steps, ...rest],
    body: html`<div class="prose steps">
<section id="start"><h2>${words.startTitle}</h2><p>${words.startedText}</p><p>${words.startText}</p>
${shell('start', html`<b>npm ci</b>\n<b>npm start</b>`)}<p>${words.startAfter}</p></section>
<section id="key"><h2>${words.keyTitle}</h2><p class="for-visitors">${words.keyText} <a href="/signup">${words.keyLink}</a></p><p class="for-members">${words.memberKeyText} <a href="/keys?dialog=create">${words.memberKeyLink}</a></p>
${shell('key', html`export HELIX_API_KEY=<span class="own-value">YOUR_KEY</span>`)}${yourKey(context)}</section>
<section id="call"><h2>${words.callTitle}</h2><p>${words.callText}</p><p>${words.installText}</p>
${shell('install', install)}${codeBlock(context, calls(context), words.callTitle)}</section></div>
<div class="prose">
<section id="stream"><h2>${words.streamTitle}</h2><p>${markedText(words.streamText)}</p>
${codeBlock(context, [{ id: 'events', name: 'text/event-stream', code: events }], words.streamTitle)}</section>
<section id="model"><h2>${words.modelTitle}</h2><p>${words.modelText}</p>
${shell('model', html`HELIX_MODEL=<span class="own-value">/models/larger.gguf</span> HELIX_MODEL_NAME=<span class="own-value">larger</span> npm start`)}</section>
<section id="next"><h2>${words.nextTitle}</h2><ul class="bullets">
<li><a href="/docs/migration">${words.nextMigration}</a></li><li><a href="/playground">${words.nextPlayground}</a></li><li><a href="/docs/api">${words.nextApi}</a></li>
<li><a href="/docs/errors">${words.nextErrors}</a></li><li><a href="/docs/troubleshooting">${words.nextTroubleshooting}</a></li>
<li><a href="/docs/compatibility">${words.nextCompatibility}</a></li><li><a href="/llms.txt">${words.nextPrograms}</a></li></ul></section></div>`,
  })
}

/** What the samples import. */
const install = html`pip install openai                      # Python
npm install openai                      # TypeScript
go get github.com/openai/openai-go/v3   # Go
dotnet add package OpenAI               # C#
# Java (Maven, Gradle): com.openai:openai-java`

/** The first call, in every language of the reference. */
const calls = (context: PageContext): CodeSample[] => {
  const client = clientSamples('createChatCompletion', context.words.landing.prompt)
  const more = [
    { id: 'go', name: 'Go', language: 'go', code: client.go },
    { id: 'java', name: 'Java', language: 'java', code: client.java },
    { id: 'csharp', name: 'C#', language: 'csharp', code: client.csharp },
  ]
  return [...chatSamples(context), ...more.map(({ code = '', ...sample }) => ({ ...sample, code: sampleCode(code) }))]
}

const events = html`data: {"id":"chatcmpl-…","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"<b>The</b>"},"finish_reason":null}],…}

data: {"id":"chatcmpl-…","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"<b> sky</b>"},"finish_reason":null}],…}

data: [DONE]`
