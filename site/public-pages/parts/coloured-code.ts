import { highlight } from '../../app/markdown/highlighter.ts'
import { splitRuns } from '../../app/markdown/split-runs.ts'
import { type Html, html, trusted } from '../html.ts'

const entity = /&#(\d+);/g

/**
 * Code with the colours that code has in the console. Marks that it has already, such as those around what is the reader's own,
 * stay where they are.
 */
export const colouredCode = (language: string, code: Html): Html => {
  const parts = code.html.split(/(<[^>]*>)/)
  const texts = parts.map((part) =>
    part.startsWith('<') ? '' : part.replace(entity, (_, point) => String.fromCodePoint(Number(point))),
  )
  const looks = splitRuns(highlight(language, texts.join('')), texts)
  return trusted(
    parts
      .map((part, index) => {
        if (part.startsWith('<')) return part
        return (looks[index] ?? [])
          .map(({ look, text }) => (look === 'plain' ? html`${text}` : html`<span class="${look}">${text}</span>`).html)
          .join('')
      })
      .join(''),
  )
}
