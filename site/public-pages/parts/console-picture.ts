import type { LanguageCode } from '../../../languages/language.ts'
import { type Html, html } from '../html.ts'
import type { PagePictures } from '../page-assets.ts'

/** What the pictures measure; `scripts/take-screenshots.ts` takes them. */
const size = { width: 1440, height: 901 }

/** A page of the console in both themes; the styles show one, and only that one is loaded, when it is near. */
export const consolePicture = (text: string, language: LanguageCode, { picture }: PagePictures): Html =>
  html`<div class="console-picture">${(['light', 'dark'] as const).map(
    (theme) =>
      html`<img class="in-${theme}" src="${picture(theme, language)}" width="${String(size.width)}" height="${String(size.height)}" alt="${text}" loading="lazy" decoding="async">`,
  )}</div>`
