type Growing<Numbers> = (length: number) => Numbers

/**
 * Memory that is used again for each token: a new array of the size of a vocabulary costs more than what is done with it.
 * The contents are undefined, and valid until the next call.
 */
export const createScratch = <Numbers extends Int32Array | Uint16Array | Float64Array>(
  create: (length: number) => Numbers,
): Growing<Numbers> => {
  let numbers = create(0)
  return (length) => {
    if (numbers.length < length) numbers = create(length)
    return numbers
  }
}
