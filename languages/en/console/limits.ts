import type { LimitName, RateName } from '../../../src/config/limit-kinds.ts'

type LimitWords = { name: string; fact: string; short(figure: string): string; listed(figure: string): string }

export const limits = {
  /** Its name; in the audit log; in a list of keys; and in the list of organisations. */
  kinds: {
    requestsPerMinute: {
      name: 'Requests per minute',
      fact: 'requests per minute',
      short: (count: string) => `${count} requests/min`,
      listed: (count: string) => `${count} requests`,
    },
    tokensPerMinute: {
      name: 'Tokens per minute',
      fact: 'tokens per minute',
      short: (count: string) => `${count} tokens/min`,
      listed: (count: string) => `${count} tokens`,
    },
    requestsInFlight: {
      name: 'Concurrent requests',
      fact: 'concurrent requests',
      short: (count: string) => `${count} concurrent`,
      listed: (count: string) => `${count} requests`,
    },
    requestsPerDay: {
      name: 'Requests per day',
      fact: 'requests per day',
      short: (count: string) => `${count} requests/day`,
      listed: (count: string) => `${count} requests per day`,
    },
    tokensPerDay: {
      name: 'Tokens per day',
      fact: 'tokens per day',
      short: (count: string) => `${count} tokens/day`,
      listed: (count: string) => `${count} tokens per day`,
    },
    tokensPerMonth: {
      name: 'Tokens per month',
      fact: 'tokens per month',
      short: (count: string) => `${count} tokens/month`,
      listed: (count: string) => `${count} tokens per month`,
    },
    costPerDayMicros: {
      name: 'Cost per day',
      fact: 'cost per day',
      short: (amount: string) => `${amount}/day`,
      listed: (amount: string) => `${amount} per day`,
    },
    costPerMonthMicros: {
      name: 'Cost per month',
      fact: 'cost per month',
      short: (amount: string) => `${amount}/month`,
      listed: (amount: string) => `${amount} per month`,
    },
  } satisfies Record<LimitName, LimitWords>,
  unlimited: {
    requestsPerMinute: 'no request limit',
    tokensPerMinute: 'no token limit',
    requestsInFlight: 'no limit',
  } satisfies Record<RateName, string>,
  usedIn: {
    day: (used: string, limit: string) => `today ${used} of ${limit}`,
    month: (used: string, limit: string) => `this month ${used} of ${limit}`,
  },
  requests: (count: string) => `${count} requests`,
  inCurrency: (name: string, currency: string) => `${name} (${currency})`,
  unlimitedLede: 'No limit applies to this organisation.',
  calmLede: 'No limit is close to being reached.',
  fullest: (name: string, percent: number) => `Closest to its limit: ${name.toLowerCase()}, at ${percent}%.`,
  nearLede: (name: string, percent: number) => `${name}: ${percent}% used.`,
  overLede: (name: string) => `${name}: limit reached.`,
  organisationText: 'All keys and the playground combined.',
  server: 'Entire server',
  serverText: 'All organisations combined.',
  serverOthers: 'Only the server’s owner can see how much of these is used.',
  keyText: 'This key only. Organisation limits apply as well.',
  unlimitedKeys: (count: number) =>
    count === 1
      ? 'One more key has no limits of its own; the organisation’s limits apply.'
      : `${count} more keys have no limits of their own; the organisation’s limits apply.`,
  onlyUnlimitedKeys: 'No key has limits of its own; the organisation’s limits apply.',
  caption: (whose: string) => `Limits: ${whose}`,
  limit: 'Limit',
  used: 'Used',
  free: 'Fully restored',
  setBy: 'Set by',
  noLimit: 'no limit',
  setMeanwhile: (max: string) => `Someone else set this to ${max}.`,
  liftedMeanwhile: 'Someone else removed this limit.',
  resetMeanwhile: 'Someone else reset this to the default.',
  usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  atMost: (limit: string) => `up to ${limit}`,
  allFree: 'now',
  inSeconds: (seconds: number) => `in ${seconds} s`,
  whenDone: 'when running requests finish',
  bySettings: 'server default',
  byServersOwn: 'default for the organisation of the server’s owner',
  byServer: 'server settings',
  byOwner: 'server owner',
  byKey: 'this key',
  zone: (name: string) =>
    `Days and months start at midnight in ${name}. Tokens reserved for running requests, and their cost, count as used.`,
  notLoaded: 'The limits did not load.',
  stillCount: 'They are still enforced.',
} as const
