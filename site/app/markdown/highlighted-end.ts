/** Longer code has one look. */
const maxCharacters = 20_000
const leastStep = 256

/**
 * How much of a code block is highlighted. All of it once it has ended; while it grows, up to a line end that moves on in
 * steps which grow with it, so that all steps together cost little more than the last one.
 */
export const highlightedEnd = (code: string, isGrowing: boolean): number => {
  if (code.length > maxCharacters) return 0
  if (!isGrowing) return code.length
  const step = Math.max(leastStep, 2 ** Math.floor(Math.log2(Math.max(1, code.length))) / 8)
  return code.lastIndexOf('\n', Math.floor(code.length / step) * step) + 1
}
