import { type Html, html } from '../html.ts'

/**
 * What can be typed is set as code: what stands in backticks or double quotes, names with an underscore, and the names
 * given. Braces stand for what differs.
 */
export const markedText = (text: string, names: readonly string[] = []): Html[] => {
  const marks = ['`[^`]+`', '"[^"]*"', '\\{\\w+\\}', snakeCase, ...names.map(literal)]
  return text.split(new RegExp(`(${marks.join('|')})`)).map((part, index) => {
    // The split puts what matched at every second place.
    if (index % 2 === 0) return html`${part}`
    if (part.startsWith('{')) return html`<i class="muted">${part}</i>`
    return html`<code>${part.length > 2 && /^[`"]/.test(part) ? part.slice(1, -1) : part}</code>`
  })
}

/** Not where it stands in single quotes: messages are shown as they are sent. */
const snakeCase = "(?<!['\\w])\\w+_\\w+(?!['\\w])"

/** A name as it stands, but not inside a longer one. */
const literal = (name: string): string => `(?<![\\w-])${name.replace(/[[\]]/g, '\\$&')}(?![\\w-])`
