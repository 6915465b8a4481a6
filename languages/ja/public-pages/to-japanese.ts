import { apiTranslations } from './translations/api.ts'
import { behaviourTranslations } from './translations/behaviours.ts'
import { compatibilityTranslations, sameInBoth } from './translations/compatibility.ts'
import { fieldTranslations } from './translations/fields.ts'

const translations: ReadonlyMap<string, string> = new Map([
  ...Object.entries(apiTranslations),
  ...Object.entries(fieldTranslations),
  ...Object.entries(compatibilityTranslations),
  ...Object.entries(behaviourTranslations),
  ...sameInBoth.map((text) => [text, text] as const),
])

/** The server's tables are written in English. A text without a translation fails the build. */
export const toJapanese = (text: string): string => {
  const japanese = translations.get(text)
  if (japanese === undefined)
    throw new Error(`no Japanese for "${text}": add it under languages/ja/public-pages/translations/`)
  return japanese
}
