import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The same page in each other language. They work without a script; with one, the rest of the address is kept too. */
export const languageLinks = ({ language, languages }: PageContext): Html[] =>
  languages
    .filter(({ code }) => code !== language.code)
    .map(
      ({ code, name }) =>
        html`<a href="?lang=${code}" lang="${code}" hreflang="${code}" data-language="${code}">${name}</a>`,
    )
