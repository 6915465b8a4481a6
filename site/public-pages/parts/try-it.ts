import type { PlaygroundCall } from '../../../src/platform/contract/playground.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

type Sample = {
  /** The same call for a session. */
  call: PlaygroundCall
  /** Null: it is sent without one. */
  body: object | null
  /** The kind of model that the sample needs. */
  kind: 'chat' | 'embedding' | 'rerank'
}

/** Calls that a signed-in reader can send, by the id of the operation. */
const samples = ({ prompt, beginning }: Record<'prompt' | 'beginning', string>): Readonly<Record<string, Sample>> => {
  const model = 'helix-v1'
  const messages = [{ role: 'user', content: prompt }]
  const kind = 'chat'
  return {
    createChatCompletion: { call: 'completeInPlayground', body: { model, stream: true, messages }, kind },
    createResponse: {
      ...{ call: 'respondInPlayground', kind },
      body: { model, stream: true, store: false, input: prompt },
    },
    createMessage: { call: 'messageInPlayground', body: { model, stream: true, max_tokens: 256, messages }, kind },
    createCompletion: {
      ...{ call: 'continueInPlayground', kind },
      body: { model, stream: true, max_tokens: 64, prompt: beginning },
    },
    createEmbedding: { call: 'embedInPlayground', body: { model, input: prompt }, kind: 'embedding' },
    createRerank: {
      ...{ call: 'rerankInPlayground', kind: 'rerank' },
      body: { model, query: prompt, documents: [prompt, prompt.toUpperCase()] },
    },
    createScore: { call: 'scoreInPlayground', body: { model, text_1: prompt, text_2: prompt }, kind: 'rerank' },
    listModels: { call: 'listModelsInPlayground', body: null, kind },
  }
}

/** A request to edit and send from the page, for readers who are signed in. Its script is loaded when it is opened, and enables the button. */
export const tryIt = ({ words: { docs, landing } }: PageContext, operation: string): Html | null => {
  const sample = samples(landing)[operation]
  if (sample === undefined) return null
  const { call, body, kind } = sample
  const id = `try-${operation}`
  const field =
    body === null
      ? null
      : html`<label for="${id}">${docs.apiBody}</label>
<textarea id="${id}" class="input mono" rows="${body === null ? 1 : JSON.stringify(body, null, 2).split('\n').length + 1}" spellcheck="false" translate="no">${JSON.stringify(body, null, 2)}</textarea>`
  return html`<details class="try-it" data-try-it="${call}" data-kind="${kind}"><summary>${docs.tryIt}</summary>
<p class="secondary for-members">${body === null ? docs.tryItRead : docs.tryItText}</p><p class="for-visitors"><a href="/signin">${docs.tryItSignIn}</a></p>
<div class="for-members">${field}
<p class="actions"><button type="button" class="button primary" disabled>${docs.tryItSend}</button> <button type="button" class="button" hidden>${docs.tryItStop}</button>
<span role="status" data-sending="${docs.tryItSending}" data-stopped="${docs.tryItStopped}" data-invalid="${docs.tryItInvalid}"></span> <a class="request" href="/requests" hidden>${docs.tryItRequest}</a></p>
<p class="refusal secondary" role="alert"></p>
<details class="thought" data-thinking="${docs.tryItThinking('{s}')}" data-thought="${docs.tryItThought('{s}')}" hidden><summary></summary><p></p></details>
<output class="mono" tabindex="0" translate="no" aria-label="${docs.apiAnswer}" aria-live="off"></output></div></details>`
}
