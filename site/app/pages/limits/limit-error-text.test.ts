import { expect, test } from 'vitest'
import { words as english } from '../../../../languages/en/console.ts'
import { words as japanese } from '../../../../languages/ja/console.ts'
import { ApiError } from '../../../../src/base/api-error.ts'
import { type ErrorName, errorCatalogue, errorType } from '../../../../src/base/error-catalogue.ts'
import { errorBody } from '../../../../src/http/error-body.ts'
import { limitNames, limitWireNames } from '../../../../src/store/limit-names.ts'
import { readPlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { findLanguage } from '../../../words/languages.ts'
import { limitErrorText } from './limit-error-text.ts'
import { limitNameText } from './limit-words.ts'
import { pageOfLimit } from './page-of-limit.ts'

const resetsAt = Date.UTC(2031, 4, 6, 12)
const createLimit = (name: string, other: object = {}) => ({
  ...{ name, scope: 'organisation' as const, limit: 40, used: 30, requested: 20, resetsAt },
  ...other,
})
const tokens = { model: 'helix-v1', place: 'in organization org_abc', limit: 40, used: 30, wait: '1s' }
const large = { requested: 50, promptTokens: 20, completionTokens: 30 }
const budget = { scope: 'organization org_abc', measure: 'tokens', period: 'day', limit: 40, used: 30 }

/** Each refusal of the family, as the server makes it. */
const refusals: Partial<Record<ErrorName, ApiError>> = {
  rate_limit_requests: ApiError.of('rate_limit_requests', tokens, { limit: createLimit('requests_per_minute') }),
  rate_limit_requests_of_period: ApiError.of(
    'rate_limit_requests_of_period',
    { ...tokens, period: 'requests per month' },
    { limit: createLimit('tokens_per_month', { resetsAt: null }) },
  ),
  rate_limit_tokens: ApiError.of(
    'rate_limit_tokens',
    { ...tokens, period: 'tokens per min (TPM)', requested: 20 },
    { limit: createLimit('tokens_per_minute') },
  ),
  rate_limit_in_flight: ApiError.of('rate_limit_in_flight', tokens, {
    limit: createLimit('requests_in_flight', { resetsAt: null }),
  }),
  too_many_refused: ApiError.of(
    'too_many_refused',
    { whose: 'organization org_abc', limit: 40, wait: '1s' },
    { limit: createLimit('refused_requests_per_minute') },
  ),
  request_above_rate_limit: ApiError.of(
    'request_above_rate_limit',
    { ...tokens, ...large, period: 'tokens per min (TPM)' },
    { limit: createLimit('tokens_per_minute', { requested: 50, resetsAt: null }) },
  ),
  insufficient_quota: ApiError.of(
    'insufficient_quota',
    { ...budget, requested: 20, reset: '2031-05-06T12:00:00Z' },
    { limit: createLimit('tokens_per_day') },
  ),
  body_memory_share: ApiError.of(
    'body_memory_share',
    { limitBytes: 2_000_000 },
    { limit: createLimit('body_bytes_in_flight', { scope: 'owner', limit: 2_000_000, resetsAt: null }) },
  ),
  body_memory_full: ApiError.of('body_memory_full', {}),
  queue_full: ApiError.of('queue_full', {}, { retryAfterMs: 9000 }),
  queue_timeout: ApiError.of('queue_timeout', {}, { retryAfterMs: 9000 }),
  limits_unavailable: ApiError.of('limits_unavailable', {}, { retryAfterMs: 1000 }),
  ledger_unavailable: ApiError.of('ledger_unavailable', {}, { retryAfterMs: 1000 }),
}

const readAsPage = (error: ApiError) => {
  const headers =
    error.options.retryAfterMs === undefined ? {} : { 'retry-after': `${error.options.retryAfterMs / 1000}` }
  return readPlatformError(Response.json(errorBody(error), { status: error.status, headers }))
}

const words = { en: english, ja: japanese }

/** As a page that calls a model says it. */
const readSentence = async (error: ApiError, language: 'en' | 'ja'): Promise<string> => {
  const read = await readAsPage(error)
  const reader = { language: findLanguage(language), words: words[language], currency: 'EUR' }
  return limitErrorText(read, reader) ?? errorText(read, words[language].errors)
}

const types = ['requests', 'tokens', 'insufficient_quota']
const isName = (name: string): name is ErrorName => Object.hasOwn(errorCatalogue, name)

test('every refusal by a limit or a budget is among those whose sentences are checked', () => {
  const family = Object.keys(errorCatalogue).filter((name) => isName(name) && types.includes(errorType(name)))
  expect(Object.keys(refusals)).toEqual(expect.arrayContaining(family))
})

test.each(['en', 'ja'] as const)('each refusal has a sentence of its own, without ids: %s', async (language) => {
  const { errors } = words[language]
  const sentences = await Promise.all(Object.values(refusals).map((error) => readSentence(error, language)))
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const [index, error] of Object.values(refusals).entries()) {
    const sentence = sentences[index] ?? ''
    expect([errors.refused, errors.server_fault, errors.rate_limit_exceeded, error.message]).not.toContain(sentence)
    expect(sentence).not.toMatch(/_|undefined|NaN|null/)
    if (language === 'ja') expect(sentence).not.toMatch(/[a-z]{3}/i)
  }
})

test.each(['en', 'ja'] as const)('each limit is called by its name on the page of limits: %s', async (language) => {
  for (const name of limitNames) {
    const error = ApiError.of('rate_limit_requests', tokens, { limit: createLimit(limitWireNames[name]) })
    const shown = limitNameText(name, words[language])
    expect((await readSentence(error, language)).toLowerCase()).toContain(shown.toLowerCase())
  }
})

test('a time is given where it is known, and otherwise what to wait for', async () => {
  const { rate_limit_requests: minute, rate_limit_in_flight: running, queue_full: queue } = refusals
  if (minute === undefined || running === undefined || queue === undefined) throw new Error('none')
  expect(await readSentence(minute, 'en')).toMatch(/Try again after 6 May,? \d\d:\d\d\.$/)
  expect(await readSentence(running, 'en')).toMatch(/Try again when another request has finished\.$/)
  expect(await readSentence(queue, 'en')).toMatch(/Try again after .*\d\d:\d\d/)
  expect(await readSentence(ApiError.of('queue_full', {}), 'en')).toMatch(/Try again in a moment\.$/)
})

test('the link leads to the limits, or to what was rejected or is running', async () => {
  const pages = await Promise.all(
    Object.values(refusals).map(async (error) => {
      const { limit } = await readAsPage(error)
      return limit === null ? null : pageOfLimit(limit)
    }),
  )
  expect(pages.filter((page) => page === '/limits').length).toBe(6)
  expect(pages.filter((page) => page === '/requests').length).toBe(2)
})
