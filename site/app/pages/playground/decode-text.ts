const pdf = '%PDF-'
const kana = /[ぁ-んァ-ヶ]/
/** Other control characters than tabs, line and page breaks. */
const control = /[^\P{Cc}\t\n\v\f\r]/u

/**
 * A text file as text; null if it is none. Files in Japanese are often in Shift_JIS or EUC-JP: neither can be told from other
 * old encodings by its bytes alone, so that the result must have kana. `isPart`: a character may be cut at the end.
 */
export const decodeText = (bytes: Uint8Array, isPart = false): string | null => {
  const decode = (encoding: string): string | null => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart })
    } catch {
      return null
    }
  }
  const mark = `${bytes[0]},${bytes[1]}`
  if (mark === '255,254') return decode('utf-16le')
  if (mark === '254,255') return decode('utf-16be')
  const text = decode('utf-8')
  if (text !== null) return text.includes('\0') || text.startsWith(pdf) ? null : text
  const japanese = [decode('shift_jis'), decode('euc-jp')]
  return japanese.find((each) => each !== null && kana.test(each) && !control.test(each)) ?? null
}
