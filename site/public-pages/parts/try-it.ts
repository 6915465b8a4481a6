import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** A request to edit and send from the page, for readers who are signed in. Its script is loaded when it is opened. */
export const tryIt = ({ words: { docs, landing } }: PageContext): Html => {
  const body = JSON.stringify(
    { model: 'helix-v1', stream: true, messages: [{ role: 'user', content: landing.prompt }] },
    null,
    2,
  )
  return html`<details class="try-it" data-try-it><summary>${docs.tryIt}</summary>
<p class="secondary for-members">${docs.tryItText}</p><p class="for-visitors"><a href="/signin">${docs.tryItSignIn}</a></p>
<div class="for-members"><label for="try-body">${docs.apiBody}</label>
<textarea id="try-body" class="input mono" rows="10" spellcheck="false" translate="no">${body}</textarea>
<p class="actions"><button type="button" class="button primary">${docs.tryItSend}</button> <button type="button" class="button" hidden>${docs.tryItStop}</button>
<span role="status" data-sending="${docs.tryItSending}" data-stopped="${docs.tryItStopped}" data-invalid="${docs.tryItInvalid}"></span> <a class="request" href="/requests" hidden>${docs.tryItRequest}</a></p>
<output for="try-body" class="mono" tabindex="0" translate="no" aria-label="${docs.apiAnswer}" aria-live="off"></output></div></details>`
}
