import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The same page in the other language. It works without a script; with one, the rest of the address is kept too. */
export const languageLink = ({ language, words }: PageContext): Html => {
  const other = language === 'ja' ? 'en' : 'ja'
  return html`<a href="?lang=${other}" lang="${other}" hreflang="${other}" data-language="${other}">${words.frame.otherLanguage}</a>`
}
