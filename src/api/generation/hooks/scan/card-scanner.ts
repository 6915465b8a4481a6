import { isCard, mostDigits } from './is-card.ts'
import type { Cover, Scanner, ScannerKind } from './scanner.ts'

type Group = { from: number; to: number; digits: number[]; isFraction: boolean }

const zero = 0x30
/** Japanese keyboards write digits in full width, too. */
const fullWidthZero = 0xff10
const point = 0x2e
/** Hyphens, spaces and what is typed for them. In a class of a regular expression, a hyphen after another would mean a range. */
export const cardSeparators = '- \u00a0\u2009\u202f\u3000\u2010\u2011\u2012\u2013\u2212\u30fc\uff0d'
const separators = new Set(Array.from(cardSeparators, (separator) => separator.charCodeAt(0)))
/** As cards print them: 4-4-4-4, 4-6-5, 4-4-4-4-3. Shorter ones are dates, and parts of telephone numbers and ISBNs. */
const [shortestGroup, shortestLastGroup] = [4, 3]
const none = Number.POSITIVE_INFINITY

const digitOf = (character: number): number | null => {
  const digit = character - (character >= fullWidthZero ? fullWidthZero : zero)
  return digit >= 0 && digit <= 9 ? digit : null
}

/** Numbers of payment cards, in groups or not. Digits behind a decimal point are none. */
export const cardScanner: ScannerKind = {
  begins: (character) => digitOf(character) !== null,
  beginsBeyondAscii: true,
  startsWord: false,
  create: () => createCardScanner(),
}

const createCardScanner = (): Scanner => {
  /** Groups of digits with one separator between them; the last one may continue. */
  let groups: Group[] = []
  let isOpen = false
  /** Where the digits behind a decimal point begin. */
  let fractionAt = none
  const close = (cover: Cover): void => {
    isOpen = false
    let digits: number[] = []
    for (let index = groups.length - 1; index >= 0; index -= 1) {
      const group = groups[index]
      const isLast = index === groups.length - 1
      const isTooShort = (group?.digits.length ?? 0) < (isLast ? shortestLastGroup : shortestGroup)
      if (group === undefined || isTooShort || digits.length + group.digits.length > mostDigits) {
        groups = groups.slice(index + 1)
        return
      }
      digits = [...group.digits, ...digits]
      // All of a fraction is one group.
      if (!(group.isFraction && isLast) && isCard(digits)) cover(group.from, groups.at(-1)?.to ?? group.to)
    }
  }
  return {
    get pendingFrom() {
      return groups[0]?.from ?? none
    },
    push(character, at, _before, cover) {
      const last = groups.at(-1)
      const digit = digitOf(character)
      if (digit !== null) {
        if (!isOpen || last === undefined)
          groups.push({ from: at, to: at + 1, digits: [digit], isFraction: at === fractionAt })
        else {
          last.to = at + 1
          if (last.digits.length <= mostDigits) last.digits.push(digit)
        }
        isOpen = true
        return 1
      }
      if (last === undefined) return 1
      const wasOpen = isOpen
      if (wasOpen) close(cover)
      if (!wasOpen || !separators.has(character)) groups = []
      if (wasOpen && character === point) fractionAt = at + 1
      return mostDigits
    },
    end(cover) {
      if (isOpen) close(cover)
      groups = []
    },
  }
}
