import { modelMark, originMark } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'

/**
 * Code as it is typed. What the reader may have to change stands in «guillemets»; `%chat%`, `%embedding%` and `%rerank%`
 * are models, which are replaced by the reader's own if there are any, the first by the server's default before, and `%origin%` is the server's address.
 */
export const sampleCode = (text: string): Html =>
  html`${text
    .replaceAll('%origin%', originMark)
    .split(/(«[^»]*»|%\w+%)/)
    .map((part) => {
      if (part.startsWith('«')) return html`<span class="own-value">${part.slice(1, -1)}</span>`
      const model = models.get(part)
      return model === undefined ? part : html`<span data-own="${model.name}">${model.standIn}</span>`
    })}`

const models: ReadonlyMap<string, { name: string; standIn: string }> = new Map([
  ['%chat%', { name: 'model', standIn: modelMark }],
  ['%embedding%', { name: 'embeddingModel', standIn: 'nomic-embed-text-v1.5' }],
  ['%rerank%', { name: 'rerankModel', standIn: 'bge-reranker-v2-m3' }],
])
