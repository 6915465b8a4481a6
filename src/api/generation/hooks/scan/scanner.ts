/** Finds what has to be covered in a text, one character after the other. Positions are those of the text, from 0. */
export interface Scanner {
  /** `before` is the character before it, −1 at the beginning of the text. Returns how many steps it took. */
  push(point: number, at: number, before: number, cover: Cover): number
  /** The text has ended at this position. */
  end(cover: Cover): void
  /** What precedes this position is decided. Infinite if all of it is: then only a character that begins something matters. */
  readonly pendingFrom: number
}

/** The text from one position up to another, exclusive. */
export type Cover = (from: number, to: number) => void

/** What a scanner looks for, in any number of texts. */
export interface ScannerKind {
  /** Whether something that it looks for may begin with this character. */
  begins(point: number): boolean
  /** Whether it may be another character than those of ASCII. */
  readonly beginsBeyondAscii: boolean
  /** It begins where a word begins. */
  readonly startsWord: boolean
  create(): Scanner
}

/** Tables have a row for each character of ASCII. */
export const ascii = 128

/** Letters, digits and `_` of ASCII. */
export const isWordPoint = (point: number): boolean =>
  (point >= 48 && point <= 57) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122) || point === 95

/** How many positions a character takes. */
export const lengthOf = (point: number): number => (point > 0xffff ? 2 : 1)
