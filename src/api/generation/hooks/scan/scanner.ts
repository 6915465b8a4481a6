/** Finds what has to be covered in a text, one character after the other. */
export interface Scanner {
  /** `at` counts characters from 0. */
  push(point: number, at: number, cover: Cover): void
  /** The text has ended at this position. */
  end(cover: Cover): void
  /** What precedes this position is decided; infinite if all of it is. */
  readonly pendingFrom: number
}

/** The characters from one position up to another, exclusive. */
export type Cover = (from: number, to: number) => void

export type CreateScanner = () => Scanner

/** A pattern would take too long for this text. */
export class ScanTooLong extends Error {}
