import type { Prompt } from './prompts-query.ts'

/** The prompts whose names have all words of the search, the pinned ones first; otherwise in their order. */
export const findPrompts = (
  prompts: readonly Prompt[],
  search: string,
  pinned: ReadonlySet<string>,
): readonly Prompt[] => {
  const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
  const words = fold(search).split(/\s+/)
  const found = prompts.filter(({ name }) => words.every((word) => fold(name).includes(word)))
  return found.toSorted((a, b) => Number(pinned.has(b.id)) - Number(pinned.has(a.id)))
}
