import type { ListedOperation } from '../../../src/api/openapi/operations.ts'
import { modelMark } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { sampleCall } from './operation-calls.ts'

/** A request to complete and send from the page with a key that the reader types. Its script is loaded when it is opened, and enables the button. */
export const tryWithKey = ({ words: { docs, landing } }: PageContext, operation: ListedOperation): Html => {
  const { method, path, body } = sampleCall(operation, landing)
  const id = `try-${operation.id}`
  const filled = (text: string): string => text.replaceAll('%chat%', modelMark).replaceAll(/[«»]/g, '')
  const json = body === undefined ? null : filled(JSON.stringify(body, null, 2))
  const key = html`<label for="${id}-key">${docs.tryItKey}</label>
<input id="${id}-key" class="input mono" type="password" autocomplete="off" spellcheck="false" data-own-key>`
  return html`<details class="try-it" data-try-it="${method}"><summary>${docs.tryIt}</summary>
${operation.needsKey ? html`<p class="secondary">${docs.tryItWithKey}</p>\n${key}` : null}
<label for="${id}-path">${method}</label>
<input id="${id}-path" class="input mono" autocomplete="off" spellcheck="false" translate="no" data-path value="/v1${filled(path)}">
${json === null ? null : html`<label for="${id}">${docs.apiBody}</label>\n<textarea id="${id}" class="input mono" rows="${json.split('\n').length + 1}" spellcheck="false" translate="no">${json}</textarea>`}
<p class="actions"><button type="button" class="button primary" disabled>${docs.tryItSend}</button> <button type="button" class="button" hidden>${docs.tryItStop}</button>
<span role="status" data-sending="${docs.tryItSending}" data-stopped="${docs.tryItStopped}" data-invalid="${docs.tryItInvalid}" data-no-key="${docs.tryItNoKey}" data-no-path="${docs.tryItNoPath}"></span></p>
<p class="refusal secondary" role="alert"></p>
<output class="mono" tabindex="0" translate="no" aria-label="${docs.apiAnswer}" aria-live="off"></output></details>`
}
