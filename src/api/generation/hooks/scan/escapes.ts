/**
 * Escapes such as `\n` and `\u3042`, which JSON writes for one character: texts are JSON in the arguments of calls, and often elsewhere. The
 * letter of an escape begins no word, and what follows the escape does.
 */
export type EscapeState = number

/** Not in an escape. */
export const outsideEscape: EscapeState = 0
/** After a backslash: its letter follows. */
const atLetter = 1
/** The first of the digits of `\u3042`; one less for each that was read, down to `lastDigit`. */
const [firstDigit, lastDigit] = [5, 2]
/** The character before this one was the last of an escape. */
const afterEscape = 6

export const backslash = 92
const letters = new Set(Array.from('bfnrt', (letter) => letter.charCodeAt(0)))
const unicodeLetter = 117

const isHexDigit = (point: number): boolean =>
  (point >= 48 && point <= 57) || (point >= 65 && point <= 70) || (point >= 97 && point <= 102)

/** The state after this character. */
export const nextEscape = (state: EscapeState, point: number): EscapeState => {
  if (state === atLetter) {
    if (point === unicodeLetter) return firstDigit
    // JSON in a text of JSON has several backslashes.
    if (point === backslash) return atLetter
    return letters.has(point) ? afterEscape : outsideEscape
  }
  if (isDigitOfEscape(state, point)) return state === lastDigit ? afterEscape : state - 1
  return point === backslash ? atLetter : outsideEscape
}

export const isLetterOfEscape = (state: EscapeState, point: number): boolean =>
  state === atLetter && (point === unicodeLetter || letters.has(point))

/** They stand for another character, and are no digits of a number. */
export const isDigitOfEscape = (state: EscapeState, point: number): boolean =>
  state >= lastDigit && state <= firstDigit && isHexDigit(point)

export const hasEscapeEnded = (state: EscapeState): boolean => state === afterEscape
