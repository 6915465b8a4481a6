import { isTimed } from '../../../src/usage/timed-tokens.ts'

/** Tokens a second between the first and the last; null where the server would not measure it either. */
export const measureSpeed = (moments: readonly number[]): number | null => {
  const [first] = moments
  const last = moments.at(-1)
  if (first === undefined || last === undefined || !isTimed(moments.length, last - first)) return null
  return ((moments.length - 1) * 1000) / (last - first)
}
