import { type ErrorName, errorCatalogue } from '../../../src/base/error-catalogue.ts'
import { type Html, html } from '../html.ts'
import { markedText } from './marked-text.ts'

/** Some rows of the server's error catalogue. */
export const errorTable = (names: readonly ErrorName[], head: { code: string; message: string }): Html => {
  const line = (name: ErrorName): Html => {
    const { status, code, message } = errorCatalogue[name]
    return html`<tr><td><code>${code ?? ''}</code> <a class="tabular muted" href="/docs/errors#status-${String(status)}">${status}</a></td><td lang="en">${markedText(message.replaceAll('{s}', ''))}</td></tr>`
  }
  return html`<table class="table cards text-table"><thead><tr><th scope="col">${head.code}</th><th scope="col">${head.message}</th></tr></thead><tbody>${names.map(line)}</tbody></table>`
}
