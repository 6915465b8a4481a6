import { recordFrom } from '../base/record-from.ts'
import { isCostLimit, type LimitName, type Limits, limitKinds, limitNames } from '../config/limit-kinds.ts'
import { parseMicros } from '../prices/decimal-amount.ts'
import { type OptionValue, UsageError } from './command.ts'

type LimitFlag = (typeof limitKinds)[LimitName]['flag']
type LimitOption = { type: 'string'; placeholder: 'COUNT' | 'AMOUNT'; text: string }

const limitOption = (name: LimitName): LimitOption => {
  const placeholder = isCostLimit(name) ? 'AMOUNT' : 'COUNT'
  return { type: 'string', placeholder, text: limitKinds[name].flagText }
}

/** By their flags. */
export const limitOptions: Record<LimitFlag, LimitOption> = recordFrom(
  limitNames.map((name) => [limitKinds[name].flag, limitOption(name)]),
)

/** Reads the options present. `words` maps accepted non-numeric words to their values. */
export const readLimitOptions = (
  options: Readonly<Record<string, OptionValue>>,
  words: Readonly<Record<string, number | null>> = {},
): Partial<Limits> => {
  const limits: Partial<Limits> = {}
  for (const name of limitNames) {
    const { flag } = limitKinds[name]
    const text = options[flag]
    if (typeof text === 'string') limits[name] = (isCostLimit(name) ? readAmount : readCount)(flag, text, words)
  }
  return limits
}

type Read = (flag: string, text: string, words: Readonly<Record<string, number | null>>) => number | null

/** In micros. */
const readAmount: Read = (flag, text, words) => {
  const word = words[text]
  if (word !== undefined) return word
  const micros = parseMicros(text) ?? 0
  if (micros > 0) return micros
  const others = Object.keys(words).map((each) => ` or '${each}'`)
  throw new UsageError(
    `--${flag} must be an amount above 0 with at most six decimal places${others.join('')}, not '${text}'`,
  )
}

const readCount: Read = (flag, text, words) => {
  const word = words[text]
  if (word !== undefined) return word
  const count = /^\d{1,13}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  const others = Object.keys(words).map((each) => ` or '${each}'`)
  throw new UsageError(`--${flag} must be a whole number of 1 or more${others.join('')}, not '${text}'`)
}
