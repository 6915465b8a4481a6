import type { Cover, Scanner, ScannerKind } from './scanner.ts'

type Group = { from: number; to: number; digits: number[] }

const [fewestDigits, mostDigits] = [14, 19]
const [zero, nine, space, minus] = [48, 57, 32, 45]
const none = Number.POSITIVE_INFINITY

const isDigit = (point: number): boolean => point >= zero && point <= nine

/** Numbers of payment cards: 14 to 19 digits in groups, beginning as those of a card network, whose check digit is right. */
export const cardScanner: ScannerKind = {
  begins: isDigit,
  beginsBeyondAscii: false,
  startsWord: false,
  create: () => createCardScanner(),
}

const createCardScanner = (): Scanner => {
  /** Groups of digits with one space or hyphen between them; the last one may continue. */
  let groups: Group[] = []
  let isOpen = false
  const close = (cover: Cover): void => {
    isOpen = false
    let digits: number[] = []
    for (let index = groups.length - 1; index >= 0; index -= 1) {
      const group = groups[index]
      if (group === undefined || digits.length + group.digits.length > mostDigits) {
        groups = groups.slice(index + 1)
        return
      }
      digits = [...group.digits, ...digits]
      if (isCard(digits)) cover(group.from, groups.at(-1)?.to ?? group.to)
    }
  }
  return {
    get pendingFrom() {
      return groups[0]?.from ?? none
    },
    push(point, at, _before, cover) {
      const last = groups.at(-1)
      if (isDigit(point)) {
        if (!isOpen || last === undefined) groups.push({ from: at, to: at + 1, digits: [point - zero] })
        else {
          last.to = at + 1
          if (last.digits.length <= mostDigits) last.digits.push(point - zero)
        }
        isOpen = true
        return 1
      }
      if (last === undefined) return 1
      const wasOpen = isOpen
      if (wasOpen) close(cover)
      if (!wasOpen || (point !== space && point !== minus)) groups = []
      return mostDigits
    },
    end(cover) {
      if (isOpen) close(cover)
      groups = []
    },
  }
}

const isCard = (digits: readonly number[]): boolean => {
  const [first = 0] = digits
  if (digits.length < fewestDigits || first < 2 || first > 6) return false
  let sum = 0
  for (const [index, digit] of digits.entries()) {
    const isDoubled = (digits.length - index) % 2 === 0
    const value = isDoubled ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
