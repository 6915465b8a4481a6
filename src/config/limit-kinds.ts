import { recordFrom } from '../base/record-from.ts'

/**
 * Every kind of limit, one row each, in the order in which they are shown. Types, columns, the JSON of all APIs, options of the
 * command line, settings, checks, the arguments of the scripts in Redis and the forms of the console are derived from this
 * table. What a limit counts follows from its unit and window. Each can be set at every one of `limitScopes`. A new one also
 * needs a migration for its column, and words in `languages/`.
 */
export const limitKinds = {
  requestsPerMinute: {
    unit: 'requests',
    window: 'minute',
    wireName: 'requests_per_minute',
    column: 'requests_per_minute',
    setting: 'requestsPerMinute',
    flag: 'rpm',
    flagText: 'Maximum requests per minute.',
    text: 'Requests per minute',
    shortText: 'rpm',
    errorText: 'requests per min (RPM)',
    newOrganisation: 60,
  },
  tokensPerMinute: {
    unit: 'tokens',
    window: 'minute',
    wireName: 'tokens_per_minute',
    column: 'tokens_per_minute',
    setting: 'tokensPerMinute',
    flag: 'tpm',
    flagText: 'Maximum prompt and completion tokens per minute.',
    text: 'Tokens per minute',
    shortText: 'tpm',
    errorText: 'tokens per min (TPM)',
    newOrganisation: 40_000,
  },
  requestsInFlight: {
    unit: 'requests',
    window: 'in_flight',
    wireName: 'requests_in_flight',
    column: 'requests_in_flight',
    setting: 'requestsInFlight',
    flag: 'in-flight',
    flagText: 'Maximum concurrent requests.',
    text: 'Concurrent requests',
    shortText: 'in flight',
    errorText: 'requests in flight',
    newOrganisation: 4,
  },
  requestsPerDay: {
    unit: 'requests',
    window: 'day',
    wireName: 'requests_per_day',
    column: 'requests_per_day',
    setting: 'requestsPerDay',
    flag: 'rpd',
    flagText: 'Maximum requests per day.',
    text: 'Requests per day',
    shortText: 'requests/day',
    errorText: 'requests per day (RPD)',
    newOrganisation: null,
  },
  tokensPerDay: {
    unit: 'tokens',
    window: 'day',
    wireName: 'tokens_per_day',
    column: 'tokens_per_day',
    setting: 'tokensPerDay',
    flag: 'budget-daily',
    flagText: 'Maximum tokens per day.',
    text: 'Tokens per day',
    shortText: 'tokens/day',
    errorText: 'tokens per day (TPD)',
    newOrganisation: null,
  },
  tokensPerMonth: {
    unit: 'tokens',
    window: 'month',
    wireName: 'tokens_per_month',
    column: 'tokens_per_month',
    setting: 'tokensPerMonth',
    flag: 'budget-monthly',
    flagText: 'Maximum tokens per month.',
    text: 'Tokens per month',
    shortText: 'tokens/month',
    errorText: 'tokens per month',
    newOrganisation: null,
  },
  costPerDayMicros: {
    unit: 'money',
    window: 'day',
    wireName: 'cost_per_day_micros',
    column: 'cost_per_day',
    setting: 'costPerDay',
    flag: 'cost-daily',
    flagText: 'Maximum cost per day, in the configured currency, for example 12.50.',
    text: 'Cost per day',
    shortText: 'cost/day',
    errorText: 'cost per day',
    newOrganisation: null,
  },
  costPerMonthMicros: {
    unit: 'money',
    window: 'month',
    wireName: 'cost_per_month_micros',
    column: 'cost_per_month',
    setting: 'costPerMonth',
    flag: 'cost-monthly',
    flagText: 'Maximum cost per month, in the configured currency.',
    text: 'Cost per month',
    shortText: 'cost/month',
    errorText: 'cost per month',
    newOrganisation: null,
  },
} as const satisfies Record<string, LimitKind>

/** The units and windows that limiters can count together. Those of a day or month are budgets, the others are rates. */
type Counted =
  | { unit: 'requests'; window: 'minute' | 'in_flight' | 'day' | 'month' }
  | { unit: 'tokens'; window: 'minute' | 'day' | 'month' }
  | { unit: 'money'; window: 'day' | 'month' }

type LimitKind = Counted & {
  /** In the JSON of `/v1` and of the command line. Names in `/platform` and in the program are those of the rows. */
  wireName: string
  /** In `api_keys` and `organisations`. Money is in micros. */
  column: string
  /** For all organisations combined; `organisation…` is the default of each. Money is in units of the currency. */
  setting: string
  /** On the command line, without `--`. */
  flag: string
  flagText: string
  /** In the description of the settings. */
  text: string
  /** After the figure in `helix keys list`. */
  shortText: string
  errorText: string
  /** For an organisation for which nothing else was set, unless it is the server owner's. Null: no limit. */
  newOrganisation: number | null
}

/** What each limit can be set for, the narrowest scope first: all organisations together are the server. */
export const limitScopes = ['key', 'organisation', 'server'] as const
export type LimitScope = (typeof limitScopes)[number]

type Kinds = typeof limitKinds
export type LimitName = keyof Kinds
export type LimitUnit = Counted['unit']
export type LimitWindow = Counted['window']

/** Null: no such limit. */
export type Limits = { [Name in LimitName]: number | null }

/** The names of the limits of some windows. */
type NamesOf<Window extends LimitWindow> = {
  [Name in LimitName]: Kinds[Name]['window'] extends Window ? Name : never
}[LimitName]
export type BudgetName = NamesOf<'day' | 'month'>
export type RateName = NamesOf<'minute' | 'in_flight'>
type MinuteName = NamesOf<'minute'>

type LimitWireName = Kinds[LimitName]['wireName']

/** All limits, in display order. */
export const limitNames: readonly LimitName[] = Object.keys(limitKinds).filter(
  (name): name is LimitName => name in limitKinds,
)

export const isBudget = (name: LimitName): name is BudgetName => isPeriod(limitKinds[name].window)

export const isPeriod = (window: LimitWindow): window is 'day' | 'month' => window === 'day' || window === 'month'

export const budgetNames: readonly BudgetName[] = limitNames.filter(isBudget)
/** Those that every answer reports in its headers. */
export const minuteNames = limitNames.filter((name): name is MinuteName => limitKinds[name].window === 'minute')
export const inFlightNames = limitNames.filter(
  (name): name is NamesOf<'in_flight'> => limitKinds[name].window === 'in_flight',
)

/** Its values are in micros. */
export const isCostLimit = (name: LimitName): boolean => limitKinds[name].unit === 'money'

/** One value for each limit. */
export const eachLimit = <Value>(make: (name: LimitName) => Value): Record<LimitName, Value> =>
  recordFrom(limitNames.map((name) => [name, make(name)]))

/** The same under the names of the API. */
export const eachWireName = <Value>(make: (name: LimitName) => Value): Record<LimitWireName, Value> =>
  recordFrom(limitNames.map((name) => [limitKinds[name].wireName, make(name)]))

/** One column of the table. The cast holds because each value is that of its row. */
export const limitColumn = <Column extends keyof LimitKind>(column: Column) =>
  eachLimit((name) => limitKinds[name][column]) as { [Name in LimitName]: Kinds[Name][Column] }
