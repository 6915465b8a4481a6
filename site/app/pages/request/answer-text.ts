import { parseJsonText } from '../../../../src/base/parse-json-text.ts'

/** Only the indentation has line ends: those of texts are escaped. */
const numbers = /\[\n\s*-?\d[\d.eE+-]*(?:,\s*-?\d[\d.eE+-]*)*\s*\]/g

/** An answer that is a JSON document, to be read: indented, but with each vector on one line. */
export const answerText = (text: string): string => {
  try {
    return JSON.stringify(parseJsonText(text), null, 2).replace(
      numbers,
      (found) => `[${found.slice(1, -1).trim().split(/,\s*/).join(', ')}]`,
    )
  } catch {
    return text
  }
}
