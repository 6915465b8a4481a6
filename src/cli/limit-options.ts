import { microsOf } from '../prices/decimal-amount.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { limitNames } from '../store/limit-names.ts'
import { type OptionValue, UsageError } from './command.ts'

/** Names of the limits on the command line. */
const flags: Record<keyof Limits, string> = {
  requestsPerMinute: 'rpm',
  tokensPerMinute: 'tpm',
  requestsInFlight: 'in-flight',
  tokensPerDay: 'budget-daily',
  tokensPerMonth: 'budget-monthly',
  costPerDayMicros: 'cost-daily',
  costPerMonthMicros: 'cost-monthly',
}

const option = (text: string) => ({ type: 'string', placeholder: 'COUNT', text }) as const
const amountOption = (text: string) => ({ type: 'string', placeholder: 'AMOUNT', text }) as const

export const limitOptions = {
  rpm: option('Maximum requests per minute.'),
  tpm: option('Maximum prompt and completion tokens per minute.'),
  'in-flight': option('Maximum concurrent requests.'),
  'budget-daily': option('Maximum tokens per day.'),
  'budget-monthly': option('Maximum tokens per month.'),
  'cost-daily': amountOption('Maximum cost per day, in the configured currency, for example 12.50.'),
  'cost-monthly': amountOption('Maximum cost per month, in the configured currency.'),
} as const

/** Reads the options present. `words` maps accepted non-numeric words to their values. */
export const readLimitOptions = (
  options: Readonly<Record<string, OptionValue>>,
  words: Readonly<Record<string, number | null>> = {},
): Partial<Limits> => {
  const limits: Partial<Limits> = {}
  for (const name of limitNames) {
    const text = options[flags[name]]
    if (typeof text === 'string') limits[name] = readers[name](flags[name], text, words)
  }
  return limits
}

type Read = (flag: string, text: string, words: Readonly<Record<string, number | null>>) => number | null

/** In micros. */
const readAmount: Read = (flag, text, words) => {
  const word = words[text]
  if (word !== undefined) return word
  const micros = microsOf(text) ?? 0
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

const readers: Record<keyof Limits, Read> = {
  requestsPerMinute: readCount,
  tokensPerMinute: readCount,
  requestsInFlight: readCount,
  tokensPerDay: readCount,
  tokensPerMonth: readCount,
  costPerDayMicros: readAmount,
  costPerMonthMicros: readAmount,
}
