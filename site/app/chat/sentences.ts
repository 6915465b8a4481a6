/** Text cut behind each sentence that is whole. The rest, which may still grow, is left out unless `isWhole`. */
export const sentences = (text: string, isWhole: boolean): string[] => {
  const parts = text.split(/(?<=[.!?])\s+|(?<=[。！？\n])/u)
  const ended = isWhole ? parts : parts.slice(0, endsWhole(parts.at(-1) ?? '') ? undefined : -1)
  return ended.map((part) => part.trim()).filter((part) => part !== '')
}

/** A full stop at the very end may be the middle of a number; only what cannot go on counts. */
const endsWhole = (part: string): boolean => /[。！？\n]$/u.test(part)
