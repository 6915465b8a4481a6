import type { DocsEntry, DocsIndex } from '../../docs-entry.ts'
import { isJapanese, isNear, plain, stem } from './plain-words.ts'

const maxFound = 10
/** So that one page does not hide the others. */
const maxOfPage = 3

export type Found = {
  entries: DocsEntry[]
  /** What was found, to be marked in the results: as typed, its synonym, or its correction. */
  words: string[]
}

/** An entry as it is compared. */
type Place = {
  entry: DocsEntry
  heading: string
  texts: readonly (readonly [text: string, worth: number])[]
}

/** The parts that contain every word, or if there are none, as many as possible; those that are named after them first. */
export const createFinder = ({ entries, synonyms }: DocsIndex): ((typed: string) => Found) => {
  const places = entries.map(placeOf)
  return (typed) => findEntries(places, synonyms, typed)
}

const findEntries = (places: readonly Place[], synonyms: DocsIndex['synonyms'], typed: string): Found => {
  const asked = plain(typed).trim().replaceAll(/\s+/g, ' ')
  const whole = replaceSynonyms(withoutBase(asked), synonyms)
  const words = splitQuery(whole).map((word) => correct(word, places))
  if (words.length === 0) return { entries: [], words: [] }
  const scored = places
    .map((place) => ({ place, ...scoreOf(place, words, [asked, whole]) }))
    .filter(({ score }) => score > 0)
  const most = Math.max(0, ...scored.map(({ matched }) => matched))
  const best = scored.filter(({ matched }) => matched === most).sort((one, two) => two.score - one.score)
  const ofPage = new Map<string, number>()
  const shown = best.filter(({ place: { entry } }) => {
    const page = entry.id.split('#')[0] ?? ''
    const count = (ofPage.get(page) ?? 0) + 1
    ofPage.set(page, count)
    return count <= maxOfPage
  })
  const isEnough = most === words.length || most >= words.length / 2
  return { entries: isEnough ? shown.slice(0, maxFound).map(({ place }) => place.entry) : [], words }
}

const placeOf = (entry: DocsEntry): Place => {
  const heading = plain(entry.heading)
  const texts = [
    [heading, 8],
    [plain(entry.names), 3],
    [plain(entry.page), 2],
    [plain(entry.text), 1],
  ] as const
  return { entry, heading, texts }
}

/** Paths are listed without what the base URL ends in. */
const withoutBase = (typed: string): string => typed.replace(/^(get|post|delete|patch) /, '').replace(/^\S*\/v1\//, '/')

/** The longest first: a part of one may be another. */
const replaceSynonyms = (typed: string, synonyms: DocsIndex['synonyms']): string => {
  const names = Object.keys(synonyms).sort((one, two) => two.length - one.length)
  const name = names.find((each) =>
    isJapanese(each) ? typed.includes(plain(each)) : ` ${typed} `.includes(` ${each} `),
  )
  return name === undefined ? typed : typed.replace(plain(name), plain(synonyms[name] ?? ''))
}

/** Sentences in Japanese have no spaces: what remains without particles and endings is searched for. */
const splitQuery = (typed: string): string[] => {
  const words = typed
    .split(' ')
    .flatMap((word) =>
      isJapanese(word) ? word.split(/[のをにはがでともへや、。？?]|する|したい|方法|ください/) : [word],
    )
    .filter(Boolean)
  const telling = words.filter((word) => !emptyWords.has(word))
  return telling.length === 0 ? words : telling
}

const emptyWords: ReadonlySet<string> = new Set(
  'a an and are can do does for how i in is it me my of on or the this to what when where which why with you your'.split(
    ' ',
  ),
)

/** If no part has the word: the nearest that there is, because the word may be mistyped. */
const correct = (word: string, places: readonly Place[]): string => {
  if (word.length < 4 || isJapanese(word)) return word
  if (places.some(({ texts }) => texts.some(([text]) => worthOf(text, word) > 0))) return word
  for (const { texts } of places)
    for (const [text] of texts) {
      const near = text.match(/[a-z][a-z0-9_-]{3,}/g)?.find((each) => isNear(word, each))
      if (near !== undefined) return near
    }
  return word
}

const scoreOf = (
  { entry, heading, texts }: Place,
  words: readonly string[],
  asked: readonly string[],
): { score: number; matched: number } => {
  let score = 0
  let matched = 0
  for (const word of words) {
    const worth = texts.reduce((sum, [text, weight]) => sum + worthOf(text, word) * weight, 0)
    score += worth
    if (worth > 0) matched += 1
  }
  if (score === 0) return { score, matched }
  if (asked.includes(heading)) score += 30
  // What changed is rarely what people look for, and everything is mentioned there.
  const isHistory = entry.id.startsWith('/docs/changelog')
  // A page that is named after all of it comes before its parts.
  const isPage = entry.page === '' && words.every((word) => worthOf(heading, word) > 0)
  return { score: isHistory ? score / 10 : score + (isPage ? 12 : 0), matched }
}

/** 1 for the word itself, less for a part of a longer one: a few letters inside one say nothing. */
const worthOf = (text: string, word: string): number => {
  let best = 0
  for (let at = text.indexOf(word); at >= 0 && best < 1; at = text.indexOf(word, at + 1)) {
    if (isJapanese(word)) return 1
    const starts = at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '')
    const ends = !/[a-z0-9]/.test(text[at + word.length] ?? '')
    best = Math.max(best, starts ? (ends ? 1 : 0.8) : word.length > 3 ? 0.5 : 0)
  }
  if (best > 0) return best
  const short = isJapanese(word) ? word : stem(word)
  return short !== word && ` ${text}`.includes(` ${short}`) ? 0.6 : 0
}
