import { toldInApi } from './told/api.ts'
import { toldInBehaviours } from './told/behaviours.ts'
import { sameInBoth, toldInCompatibility } from './told/compatibility.ts'

const told: ReadonlyMap<string, string> = new Map([
  ...Object.entries(toldInApi),
  ...Object.entries(toldInCompatibility),
  ...Object.entries(toldInBehaviours),
  ...sameInBoth.map((text) => [text, text] as const),
])

/** The tables of the server are written in English. A text of theirs without a translation ends the build. */
export const inJapanese = (text: string): string => {
  const japanese = told.get(text)
  if (japanese === undefined) throw new Error(`no Japanese for "${text}": add it under site/words/public/ja/told/`)
  return japanese
}
