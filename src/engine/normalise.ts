/** A copy of the vector with a Euclidean length of 1. A vector of zeros stays as it is. */
export const normalise = (vector: Float32Array): Float32Array => {
  let squares = 0
  for (const value of vector) squares += value * value
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
  return vector.map((value) => value * scale)
}
