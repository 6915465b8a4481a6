import { createScratch } from './scratch.ts'

/** Ids below this can be packed with the 32 bits of a logit into one number. */
const idsPerKey = 2 ** 21
const highest = 2 ** 32 - 1

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** Grows with the logit. Adding 0 makes -0 equal to 0. */
const logitOrder = (logit: number): number => {
  float[0] = logit + 0
  const pattern = bits[0] ?? 0
  return pattern > 0x7fffffff ? highest - pattern : pattern + 0x80000000
}

const keysScratch = createScratch((length) => new Float64Array(length))

/**
 * Sorts ids by logit, highest first, equal ones by id. As numbers without a comparator, which is an order of magnitude
 * faster.
 */
export const sortTokens = (ids: Int32Array, logits: Float32Array): Int32Array => {
  const keys = keysScratch(ids.length).subarray(0, ids.length)
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] ?? 0
    keys[index] = (highest - logitOrder(logits[id] ?? 0)) * idsPerKey + id
  }
  keys.sort()
  for (let index = 0; index < ids.length; index += 1) ids[index] = (keys[index] ?? 0) % idsPerKey
  return ids
}
