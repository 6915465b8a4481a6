/** In character order, so that strings of equal length sort like their numbers. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A non-negative integer as exactly `length` base-62 digits, padded with zeros. */
export const toBase62 = (value: bigint, length: number): string => {
  let digits = ''
  let rest = value
  for (; rest > Number.MAX_SAFE_INTEGER; rest /= 62n) digits = base62Digits.charAt(Number(rest % 62n)) + digits
  // Plain numbers take a tenth of the time.
  for (let small = Number(rest); small > 0; small = Math.floor(small / 62))
    digits = base62Digits.charAt(small % 62) + digits
  if (digits.length > length) throw new RangeError(`${value} does not fit in ${length} base-62 digits`)
  return digits.padStart(length, '0')
}
