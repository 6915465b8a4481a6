import { isModelName } from '../base/model-name.ts'
import { maxAmount, microsOfNumber } from '../prices/decimal-amount.ts'
import { SettingError } from './setting-error.ts'

/**
 * A setting has a kind that reads it from text (flag, environment) or JSON (file), a default and a description.
 * `settings.ts` lists all settings.
 */
export type Setting<Value> = {
  /** In words, for `docs/config.md` and error messages: "an integer from 0 to 65535". */
  kind: string
  /** Null if the setting is optional. */
  default: Value
  /** Text to show for the default if its value alone is unclear. */
  defaultText?: string
  text: string
  /** The value is never printed, only whether it is set. */
  secret?: true
  /** Not accepted on the command line. */
  hasNoFlag?: true
  /** On the command line, the flag needs no value. */
  isSwitch?: true
  /** An empty variable is a value. Of every other setting, it means that the variable is not set, as Compose writes it. */
  takesEmpty?: true
  /** The part of the Server page on which it can be changed while the server runs; absent: a change needs a restart. */
  editedIn?: SettingsPart
  /** A value of the console may be higher than what the server was started with, never lower. */
  raisedOnly?: true
  /** Accepts a string or a JSON value; throws an error that names the expected kind. */
  read(value: unknown): Value
}

export const settingsParts = ['signUp', 'mail', 'prices', 'limits', 'retention'] as const
export type SettingsPart = (typeof settingsParts)[number]

/** Where the value of a setting comes from, the strongest source first. */
export const settingSources = ['flag', 'environment', 'console', 'file', 'default'] as const
export type SettingSource = (typeof settingSources)[number]

export type Described<Value> = {
  default: Value
  defaultText?: string
  text: string
  secret?: true
  takesEmpty?: true
  editedIn?: SettingsPart
  raisedOnly?: true
}

export const refuse = (kind: string): never => {
  throw new SettingError(`expected ${kind}`)
}

export const integer = <Absent extends number | null>(
  options: Described<Absent> & { min: number; max: number },
): Setting<number | Absent> => {
  const kind = `an integer from ${options.min} to ${options.max}`
  return {
    ...options,
    kind,
    read(value) {
      const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value
      if (typeof number !== 'number' || !Number.isInteger(number)) return refuse(kind)
      return number >= options.min && number <= options.max ? number : refuse(kind)
    },
  }
}

/** An optional maximum: 0 means no limit. */
export const limit = ({ text, default: max = 0 }: { text: string; default?: number }): Setting<number> =>
  integer({ default: max, min: 0, max: 1_000_000_000_000, text: `${text} 0 means no limit.`, editedIn: 'limits' })

/** An optional maximum in units of currency: 0 means no limit. */
export const amountLimit = ({ text }: { text: string }): Setting<number> => {
  const kind = `a number from 0 to ${maxAmount} with at most six decimal places`
  return {
    ...{ default: 0, kind, text: `${text} In units of \`currency\`; 0 means no limit.`, editedIn: 'limits' },
    read(value) {
      const amount = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
      if (typeof amount !== 'number' || amount > maxAmount) return refuse(kind)
      return microsOfNumber(amount) === null ? refuse(kind) : amount
    },
  }
}

/** Null if the operator sets no value: the default then depends on the organisation. */
export const organisationLimit = ({ text, usual }: { text: string; usual: number }): Setting<number | null> =>
  integer({
    ...{ default: null, min: 0, max: 1_000_000_000_000, text: `${text} 0 means no limit.`, editedIn: 'limits' },
    defaultText: `\`${usual}\`; no limit for the server owner's organisation`,
  })

export const timeZone = (options: Described<string>): Setting<string> => {
  const kind = 'a time zone such as Asia/Tokyo'
  return {
    ...options,
    kind,
    read(value) {
      if (typeof value !== 'string') return refuse(kind)
      try {
        return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
      } catch {
        return refuse(kind)
      }
    },
  }
}

export const currency = (options: Described<string>): Setting<string> => {
  const kind = 'an ISO 4217 currency code such as USD or JPY'
  const isCode = (value: string): boolean =>
    /^[A-Z]{3}$/.test(value) && Intl.supportedValuesOf('currency').includes(value)
  return { ...options, kind, read: (value) => (typeof value === 'string' && isCode(value) ? value : refuse(kind)) }
}

export const flag = (options: Described<boolean>): Setting<boolean> => {
  const kind = '1 or 0 (true or false)'
  const on: unknown[] = ['1', 'true', 1, true]
  const off: unknown[] = ['0', 'false', 0, false]
  const read = (value: unknown): boolean => on.includes(value) || (off.includes(value) ? false : refuse(kind))
  return { ...options, kind, isSwitch: true, read }
}

/** A switch with one more value, which the command line does not have: there it remains a switch. */
export const flagOr = <const Word extends string>(word: Word, options: Described<boolean>): Setting<boolean | Word> => {
  const kind = `1 or 0 (true or false) or ${word}`
  const known = new Map<unknown, boolean | Word>([
    ...['1', 'true', 1, true].map((on) => [on, true] as const),
    ...['0', 'false', 0, false].map((off) => [off, false] as const),
    [word, word],
  ])
  return { ...options, kind, isSwitch: true, read: (value) => known.get(value) ?? refuse(kind) }
}

export const choice = <const Word extends string>(words: readonly Word[], options: Described<Word>): Setting<Word> => {
  const kind = words.join(' or ')
  return { ...options, kind, read: (value) => words.find((word) => word === value) ?? refuse(kind) }
}

export const text = <Absent extends string | null>(options: Described<Absent>): Setting<string | Absent> => {
  const kind = 'a string'
  return { ...options, kind, read: (value) => (typeof value === 'string' && value !== '' ? value : refuse(kind)) }
}

export const modelName = <Absent extends string | null>(options: Described<Absent>): Setting<string | Absent> => {
  const kind = 'a model name: up to 200 printable characters, without ../'
  return { ...options, kind, read: (value) => (typeof value === 'string' && isModelName(value) ? value : refuse(kind)) }
}

export const path = <Absent extends string | null>(options: Described<Absent>): Setting<string | Absent> => ({
  ...text(options),
  kind: 'a path',
})

/** Braces would choose the node of a Redis cluster. */
export const keyPrefix = (options: Described<string>): Setting<string> => {
  const kind = 'up to 64 characters: letters, digits and . : _ -'
  const isUsable = (value: unknown): value is string => typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value)
  return { ...options, kind, read: (value) => (isUsable(value) ? value : refuse(kind)) }
}

/** So many random bytes as text. It is never shown. */
export const base64Key = (options: Described<null> & { bytes: number }): Setting<string | null> => {
  const { bytes, ...described } = options
  const kind = `${bytes} bytes in base64`
  return {
    ...described,
    kind,
    read(value) {
      const text = typeof value === 'string' ? value.trim() : ''
      const isUsable = /^[A-Za-z0-9+/]+=*$/.test(text) && Buffer.from(text, 'base64').length === bytes
      return isUsable ? text : refuse(kind)
    },
  }
}

export const list = (options: Described<readonly string[]>): Setting<readonly string[]> => {
  const kind = 'a list (comma-separated, or a JSON array of strings)'
  return {
    ...options,
    kind,
    read(value) {
      const items = typeof value === 'string' ? value.split(',') : value
      if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) return refuse(kind)
      return items.map((item) => item.trim()).filter((item) => item !== '')
    },
  }
}

/** Some of these words. */
export const choices = <const Word extends string>(
  known: readonly Word[],
  options: Described<readonly Word[]>,
): Setting<readonly Word[]> => {
  const kind = `a list of: ${known.join(', ')}`
  const { read } = list(options)
  return {
    ...options,
    kind,
    read(value) {
      return read(value).map((item) => known.find((word) => word === item) ?? refuse(kind))
    },
  }
}

export const weights = (options: Described<readonly string[]>): Setting<readonly string[]> => {
  const kind = 'a list of ORGANISATION=WEIGHT, each weight from 0.01 to 100'
  const isWeight = (item: string): boolean => {
    const [, weight] = /^org_\w+=(\d{1,3}(?:\.\d{1,2})?)$/.exec(item) ?? []
    return weight !== undefined && Number(weight) >= 0.01 && Number(weight) <= 100
  }
  const { read } = list(options)
  return {
    ...options,
    kind,
    read(value) {
      const items = read(value)
      return items.every(isWeight) ? items : refuse(kind)
    },
  }
}

/** Strict enough that a mail server cannot read it as something else; only a mail can show whether the address exists. */
const senderPattern = /^(?:[^<>\p{Cc}]*<[^\s@<>(),;:"]+@[^\s@<>(),;:"]+>|[^\s@<>(),;:"]+@[^\s@<>(),;:"]+)$/u

export const sender = (options: Described<null>): Setting<string | null> => {
  const kind = 'an email address, with or without a name'
  return {
    ...options,
    kind,
    read: (value) => (typeof value === 'string' && senderPattern.test(value.trim()) ? value.trim() : refuse(kind)),
  }
}
