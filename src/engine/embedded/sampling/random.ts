/** Numbers in [0, 1), reproducible from the seed. Not for cryptography. */
export type Random = () => number

const warmUpRounds = 12

/** Chris Doty-Humphrey's sfc32: 128 bits of state including a counter, so no seed leads to a short cycle. */
export const createRandom = (seed: number): Random => {
  let [a, b, c, counter] = [0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1]
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  // Seeds that differ in one bit give similar numbers at first.
  for (let round = 0; round < warmUpRounds; round += 1) next()
  return next
}
