/** Tokens that may come next, the likeliest first, with the natural logarithms of their probabilities. */
export type Candidates = { ids: Uint32Array; logprobs: Float64Array }

/** A probability that comes out as zero was only too small for its 32 bits. */
const leastLogprob = Math.log(2 ** -149)

/** From probabilities that are sorted already, as llama.cpp gives them. */
export const toCandidates = (probabilities: ReadonlyMap<number, number>): Candidates => {
  const ids = new Uint32Array(probabilities.size)
  const logprobs = new Float64Array(probabilities.size)
  let index = 0
  for (const [id, probability] of probabilities) {
    ids[index] = id
    logprobs[index] = probability > 0 ? Math.min(0, Math.log(probability)) : leastLogprob
    index += 1
  }
  return { ids, logprobs }
}

/**
 * Adds to the logits of some tokens and brings them back into order. The sums are no probabilities any more, but all that
 * counts from here on is the difference of two. Few tokens change, so these alone are sorted and then merged in.
 */
export const addToCandidates = ({ ids, logprobs }: Candidates, added: ReadonlyMap<number, number>): Candidates => {
  if (added.size === 0) return { ids, logprobs }
  const moved: { id: number; logprob: number }[] = []
  for (let index = 0; index < ids.length; index += 1) {
    const [id = 0, logprob = 0] = [ids[index], logprobs[index]]
    const sum = added.get(id)
    if (sum !== undefined) moved.push({ id, logprob: logprob + sum })
  }
  moved.sort((one, other) => other.logprob - one.logprob)
  const merged = { ids: new Uint32Array(ids.length), logprobs: new Float64Array(ids.length) }
  let [from, to] = [0, 0]
  const put = (id: number, logprob: number): void => {
    merged.ids[to] = id
    merged.logprobs[to] = logprob
    to += 1
  }
  for (const next of [...moved, null]) {
    for (; from < ids.length; from += 1) {
      const [id = 0, logprob = 0] = [ids[from], logprobs[from]]
      if (added.has(id)) continue
      if (next && logprob < next.logprob) break
      put(id, logprob)
    }
    if (next) put(next.id, next.logprob)
  }
  return merged
}
