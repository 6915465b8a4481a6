import { backslash } from './escapes.ts'
import { ascii, isWordPoint, type Scanner, type ScannerKind } from './scanner.ts'

const [beginsWithin, beginsWord] = [1, 2]
const units = 65_536
const unknown = 255
const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff]

/** The scanners of a text. Most of it they need not read: characters that begin nothing. */
export interface ScannerSet {
  create(): Scanner[]
  /** The first position, from this one up to another, at which something may begin. */
  skip(text: string, from: number, to: number, before: number): number
}

export const createScannerSet = (kinds: readonly ScannerKind[]): ScannerSet => {
  const beginningsOf = (point: number): number =>
    kinds.reduce((all, kind) => all | (kind.begins(point) ? (kind.startsWord ? beginsWord : beginsWithin) : 0), 0)
  const beyond = kinds.some(({ beginsBeyondAscii }) => beginsBeyondAscii)
  const table = new Uint8Array(units).fill(beyond ? unknown : 0)
  for (let point = 0; point < ascii; point += 1) table[point] = beginningsOf(point)
  // Characters beyond these units begin with one of them.
  if (beyond) table.fill(beginsWithin, firstSurrogate, lastSurrogate + 1)
  // The scanners are told what an escape stands for.
  table[backslash] = beginsWithin
  const fill = (unit: number): number => {
    const begins = beginningsOf(unit)
    table[unit] = begins
    return begins
  }
  return {
    create: () => kinds.map((kind) => kind.create()),
    skip(text, from, to, before) {
      let last = before
      for (let at = from; at < to; at += 1) {
        const unit = text.charCodeAt(at)
        const known = table[unit] ?? 0
        const begins = known === unknown ? fill(unit) : known
        if ((begins & beginsWithin) !== 0 || (begins !== 0 && !isWordPoint(last))) return at
        last = unit
      }
      return to
    },
  }
}
