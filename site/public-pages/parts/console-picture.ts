import type { LanguageCode } from '../../../languages/language.ts'
import { type Html, html } from '../html.ts'
import type { PagePictures } from '../page-assets.ts'

/** What the pictures measure; `scripts/take-screenshots.ts` takes them. */
const size = { width: 1440, height: 900 }
const phoneSize = { width: 750, height: 1440 }

/** A page of the console in both themes; the styles show one, and only that one is loaded, when it is near. */
export const consolePicture = (text: string, language: LanguageCode, { picture }: PagePictures): Html =>
  html`<div class="console-picture">${(['light', 'dark'] as const).map(
    (theme) =>
      html`<picture class="in-${theme}"><source media="(max-width: 479px)" srcset="${picture(theme, language, 375)}" width="${String(phoneSize.width)}" height="${String(phoneSize.height)}"><img src="${picture(theme, language, 1440)}" width="${String(size.width)}" height="${String(size.height)}" alt="${text}" loading="lazy" decoding="async"></picture>`,
  )}</div>`
