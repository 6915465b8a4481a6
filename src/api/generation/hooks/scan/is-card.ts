/** The numbers that card networks give out: the lowest and highest beginning, and the fewest and most digits. */
const networks: readonly (readonly [from: number, to: number, fewest: number, most: number])[] = [
  [2200, 2204, 16, 19],
  [2221, 2720, 16, 16],
  [3000, 3059, 14, 19],
  [3095, 3095, 14, 19],
  [3400, 3499, 15, 15],
  [3528, 3589, 16, 19],
  [3600, 3699, 14, 19],
  [3700, 3799, 15, 15],
  [3800, 3999, 14, 19],
  [4000, 4999, 16, 16],
  [4000, 4999, 19, 19],
  [5000, 5099, 16, 19],
  [5100, 5599, 16, 16],
  [5600, 5899, 16, 19],
  [6000, 6999, 16, 19],
]

export const mostDigits = 19

/** Whether these digits are the number of a payment card: of a known network, as long as those are, with the right check digit. */
export const isCard = (digits: readonly number[]): boolean => {
  const beginning = digits.slice(0, 4).reduce((number, digit) => number * 10 + digit, 0)
  const isKnown = networks.some(
    ([from, to, fewest, most]) =>
      beginning >= from && beginning <= to && digits.length >= fewest && digits.length <= most,
  )
  return isKnown && hasCheckDigit(digits)
}

const hasCheckDigit = (digits: readonly number[]): boolean => {
  let sum = 0
  for (const [index, digit] of digits.entries()) {
    const isDoubled = (digits.length - index) % 2 === 0
    const value = isDoubled ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
