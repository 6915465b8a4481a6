import type { DocsEntry } from '../../docs-entry.ts'

const maxFound = 8

/** The parts that contain every word, those that are named after it first. */
export const findEntries = (entries: readonly DocsEntry[], typed: string): DocsEntry[] => {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: scoreEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score)
    .slice(0, maxFound)
    .map(({ entry }) => entry)
}

/** 0 if a word is missing. */
const scoreEntry = ({ heading, page, names, text }: DocsEntry, words: readonly string[]): number => {
  const places = [
    [plain(heading), 8],
    [plain(page), 2],
    [plain(names), 4],
    [plain(text), 1],
  ] as const
  const scores = words.map((word) =>
    places.reduce((sum, [place, worth]) => sum + (place.includes(word) ? worth : 0), 0),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** Japanese input methods also write full-width letters and half-width kana. */
const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
