import type { ListedOperation } from '../../../src/api/openapi/operations.ts'
import { type Html, html } from '../html.ts'

/** Method and path, which may break before a slash: several calls differ only at its end. */
export const operationPlace = ({ method, path }: ListedOperation): Html => {
  const [first = '', ...rest] = path.replace(/^\/v1/, '').split(/(?=\/)/)
  return html`<span class="call"><span class="method">${method}</span> <span>${first}${rest.map((step) => html`<wbr>${step}`)}</span></span>`
}
