import type { LimitName } from '../../../src/config/limit-kinds.ts'

export const limits = {
  title: 'Limits',
  description: 'What Helix limits, for whom, how usage is counted, and what happens when a limit is exceeded.',
  lead: 'Eight things can be limited.',
  leadRest: 'For a key, an organisation and the server. A request must fit within all of them.',
  what: 'What is limited',
  whatText:
    'The defaults apply to each organisation unless the server’s owner sets other values, except to the owner’s own, which has no limits. Keys and the server have no limits of their own unless you set them.',
  name: 'Limit',
  counts: 'What counts',
  standard: 'Default',
  noLimit: 'no limit',
  kinds: {
    requestsPerMinute: {
      name: 'Requests per minute',
      counts: 'Requests accepted in any 60 seconds.',
    },
    tokensPerMinute: {
      name: 'Tokens per minute',
      counts: 'Tokens reserved for running requests, plus tokens used by requests that ended in the last 60 seconds.',
    },
    requestsInFlight: {
      name: 'Concurrent requests',
      counts: 'Requests that are running, waiting in the queue, or still sending their body.',
    },
    requestsPerDay: {
      name: 'Requests per day',
      counts: 'Requests that ended since midnight, plus running requests. Counting tokens is not included.',
    },
    tokensPerDay: {
      name: 'Tokens per day',
      counts: 'Tokens used since midnight, plus tokens reserved for running requests.',
    },
    tokensPerMonth: {
      name: 'Tokens per month',
      counts: 'The same, since the first of the month.',
    },
    costPerDayMicros: {
      name: 'Cost per day',
      counts:
        'Cost of requests since midnight, plus the most that running requests can cost. Models without a price cost nothing.',
    },
    costPerMonthMicros: {
      name: 'Cost per month',
      counts: 'The same, since the first of the month.',
    },
  } satisfies Record<LimitName, { name: string; counts: string }>,
  counting: 'How usage is counted',
  held: 'Admission is atomic: a request is checked and its tokens are reserved in one step, so concurrent requests can’t exceed a limit. The reservation covers the prompt’s tokens and max_completion_tokens for each of n choices. What is not used is released at the end, so a small max_completion_tokens lets more requests run concurrently. Without max_completion_tokens, a smaller amount is reserved, at most what is left of the limits per day and month, and extended while the answer runs. If a limit is used up by then, the answer ends with finish_reason length.',
  window:
    'The 60 seconds are a sliding window: no 60-second period ever exceeds the limit. Days and months start at midnight in the server’s time zone. A rejected request counts towards none of these limits, but a key whose requests keep being rejected is answered without reading them.',
  yours: 'The Limits page of the console shows your current usage.',
  refusals: 'When a limit is exceeded',
  refusalsText:
    'The error names the limit that takes longest to clear. If waiting helps, it carries retry-after in seconds and the exact retry-after-ms; the official clients wait and retry automatically. If waiting doesn’t help, x-should-retry is false.',
  code: 'Code',
  message: 'Message',
  errorLimitText:
    'These errors also contain the limit as error.limit, so that a program need not read the message. Under /v1/messages it is in error.details.',
  field: 'Field',
  limitName:
    'Which limit: requests_per_minute, tokens_per_minute, requests_in_flight, requests_per_day, tokens_per_day, tokens_per_month, cost_per_day_micros or cost_per_month_micros; or refused_requests_per_minute (too many rejected requests), or body_bytes_in_flight (the memory that request bodies in progress may use).',
  limitScope: 'Whose limit it is: key, organisation or server; for body_bytes_in_flight, owner or address.',
  limitLimit: 'The limit itself. Costs are in millionths of the currency.',
  limitUsed: 'How much of it is used or reserved.',
  limitRequested: 'How much this request would add.',
  limitResetsAt:
    'Unix time in seconds at which the request would be accepted. null if it never would be, or if only running requests use up the limit.',
  headers: 'Headers',
  headersText:
    'Every answer that used tokens, and every 429 except the one for body memory, reports the per-minute limits that are set. If several limits apply, the one with the least remaining is reported. Replayed answers and other errors have no such headers.',
  header: 'Header',
  meaning: 'Meaning',
  headerLimit: 'The limit per minute.',
  headerRemaining: 'How much of it remains.',
  headerReset: 'Time until it is fully restored if nothing more is sent, such as 17ms, 1.5s or 1m0s.',
  headerScope: 'The scope of the limit: key, organisation or server.',
} as const
