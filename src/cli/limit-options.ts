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
}

const option = (text: string) => ({ type: 'string', placeholder: 'COUNT', text }) as const

export const limitOptions = {
  rpm: option('Maximum requests per minute.'),
  tpm: option('Maximum prompt and completion tokens per minute.'),
  'in-flight': option('Maximum concurrent requests.'),
  'budget-daily': option('Maximum tokens per day.'),
  'budget-monthly': option('Maximum tokens per month.'),
} as const

/** Reads the options present. `words` maps accepted non-numeric words to their values. */
export const readLimitOptions = (
  options: Readonly<Record<string, OptionValue>>,
  words: Readonly<Record<string, number | null>> = {},
): Partial<Limits> => {
  const limits: Partial<Limits> = {}
  for (const name of limitNames) {
    const text = options[flags[name]]
    if (typeof text === 'string') limits[name] = readCount(flags[name], text, words)
  }
  return limits
}

const readCount = (flag: string, text: string, words: Readonly<Record<string, number | null>>): number | null => {
  const word = words[text]
  if (word !== undefined) return word
  const count = /^\d{1,13}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  const others = Object.keys(words).map((each) => ` or '${each}'`)
  throw new UsageError(`--${flag} must be a whole number of 1 or more${others.join('')}, not '${text}'`)
}
