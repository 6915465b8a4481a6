/** The logits of these ids only, in memory of its own that is used for every token; the logits themselves if any id is allowed. */
export const createIdMask = (ids: readonly number[] | null): ((logits: Float32Array) => Float32Array) => {
  if (ids === null) return (logits) => logits
  let masked = new Float32Array()
  return (logits) => {
    if (masked.length !== logits.length) masked = new Float32Array(logits.length).fill(Number.NEGATIVE_INFINITY)
    for (const id of ids) masked[id] = logits[id] ?? Number.NEGATIVE_INFINITY
    return masked
  }
}
