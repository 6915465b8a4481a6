/** HTML that is safe to put into a page: text inside it was escaped when it was put together. */
export type Html = { readonly html: string }
type Piece = Html | string | number | null | false | readonly Piece[]

/** Text between the marks is escaped, other HTML is not: `html\`<p>${text}</p>\``. */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html => ({
  html: parts.reduce((whole, part, index) => whole + piece(pieces[index - 1] ?? null) + part),
})

const piece = (value: Piece): string => {
  if (value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(piece).join('')
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Text that was written by us as HTML. */
export const trusted = (text: string): Html => ({ html: text })
