import { textElement } from './text-element.ts'

const maxExcerpt = 110
/** What stands in front of the first word that was found. */
const maxBefore = 30

/** The part of a text that has the first of the words, between the ends of words where there are spaces. */
export const excerpt = (text: string, words: readonly string[]): string => {
  const first = Math.min(...placesOf(text, words).map(([from]) => from), text.length)
  const isFar = first < text.length && first > maxExcerpt - maxBefore
  const from = isFar ? first - maxBefore : 0
  const start = isFar ? `…${text.slice(from).replace(/^\S{0,20}\s/, '')}` : text
  return start.length <= maxExcerpt ? start : `${start.slice(0, maxExcerpt).replace(/\s\S{0,20}$/, '')}…`
}

/** The text with the words marked. */
export const markWords = (text: string, words: readonly string[]): Node[] => {
  const nodes: Node[] = []
  let at = 0
  for (const [from, to] of placesOf(text, words)) {
    if (from < at) continue
    nodes.push(document.createTextNode(text.slice(at, from)), textElement('mark', text.slice(from, to)))
    at = to
  }
  return [...nodes, document.createTextNode(text.slice(at))]
}

/** None where comparing changes the length of the text: the places would be others. */
const placesOf = (text: string, words: readonly string[]): [from: number, to: number][] => {
  // Without long vowels the text would be shorter; the words have none at their ends, and are still part of it.
  const compared = text.normalize('NFKC').toLowerCase()
  if (compared.length !== text.length) return []
  const places = words.flatMap((word): [number, number][] => {
    const found: [number, number][] = []
    for (let at = compared.indexOf(word); at >= 0; at = compared.indexOf(word, at + word.length))
      found.push([at, at + word.length])
    return found
  })
  return places.sort(([one], [two]) => one - two)
}
