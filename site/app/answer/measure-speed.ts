/** The speed of a handful of tokens is that of the connection. */
export const leastForSpeed = 8
/** So is that of tokens which came all at once. */
export const leastMsForSpeed = 50

/** Tokens a second between the first and the last. */
export const measureSpeed = (moments: readonly number[]): number | null => {
  const [first] = moments
  const last = moments.at(-1)
  if (first === undefined || last === undefined || moments.length < leastForSpeed) return null
  if (last - first < leastMsForSpeed) return null
  return ((moments.length - 1) * 1000) / (last - first)
}
