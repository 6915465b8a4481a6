/** As it is compared: Japanese input methods also write full-width letters and half-width kana, and people leave out long vowels. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/(?<=[ァ-ヶ])ー(?![ァ-ヶー])/g, '')

const japanese = /[぀-ヿ一-鿿]/

export const isJapanese = (text: string): boolean => japanese.test(text)

const endings = /(?:ations?|ings?|ed|es|e|s)$/

/** What words of one family have in common: `rotat` of `rotating`, `rotation` and `rotate`. */
export const stem = (word: string): string => {
  const short = word.replace(endings, '')
  return short.length >= 3 ? short : word
}

/** Whether one typing error makes one word of the other: two in long words. */
export const isNear = (typed: string, known: string): boolean => {
  const most = typed.length >= 8 ? 2 : 1
  return Math.abs(typed.length - known.length) <= most && distance(typed, known) <= most
}

/** Letters added, left out, changed, or exchanged with the next. */
const distance = (one: string, two: string): number => {
  let before: number[] = []
  let last = Array.from({ length: two.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const row = [at]
    for (let to = 1; to <= two.length; to++) {
      const isSame = one[at - 1] === two[to - 1]
      const isSwapped = at > 1 && to > 1 && one[at - 1] === two[to - 2] && one[at - 2] === two[to - 1]
      row.push(
        Math.min(
          (last[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (last[to - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = row
  }
  return last[two.length] ?? 0
}
