import { ascii, isWordPoint, type Scanner, type ScannerKind } from './scanner.ts'

const [beginsWithin, beginsWord] = [1, 2]

/** The scanners of a text. Most of it they need not read: characters that begin nothing. */
export interface ScannerSet {
  create(): Scanner[]
  /** The first position, from this one up to another, at which something may begin. */
  skip(text: string, from: number, to: number, before: number): number
}

export const createScannerSet = (kinds: readonly ScannerKind[]): ScannerSet => {
  const table = Uint8Array.from({ length: ascii }, (_, point) =>
    kinds.reduce((all, kind) => all | (kind.begins(point) ? (kind.startsWord ? beginsWord : beginsWithin) : 0), 0),
  )
  const beyond = kinds.some(({ beginsBeyondAscii }) => beginsBeyondAscii) ? beginsWithin : 0
  return {
    create: () => kinds.map((kind) => kind.create()),
    skip(text, from, to, before) {
      let last = before
      for (let at = from; at < to; at += 1) {
        const unit = text.charCodeAt(at)
        const begins = unit < ascii ? (table[unit] ?? 0) : beyond
        if ((begins & beginsWithin) !== 0 || (begins !== 0 && !isWordPoint(last))) return at
        last = unit
      }
      return to
    },
  }
}
