import { expect, test } from 'vitest'
import { createKeyMaker } from '../harness/key-maker.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const now = Date.UTC(2001, 10, 15, 21)

test('a program reads the permissions and usage of its key', async () => {
  const clock = createManualClock(now)
  const helix = await startHelix({
    clock,
    config: { organisationRequestsPerMinute: 60, requestsPerMinute: 1_000, timeZone: 'Asia/Tokyo' },
  })
  const limits = { requestsPerMinute: 5, tokensPerDay: 10_000 }
  const made = await createKeyMaker(helix)({ limits, expiresAt: now + 86_400_000, networks: ['127.0.0.1'] })
  const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 4 }
  const answer = await made.call('POST', '/v1/chat/completions', chat)
  const { usage } = (await answer.json()) as { usage: { total_tokens: number } }
  const own = (await (await made.call('GET', '/v1/key')).json()) as Record<string, unknown>
  expect(own).toEqual({
    id: made.id,
    object: 'api_key',
    name: 'test',
    prefix: made.key.slice(0, 12),
    last_four: made.key.slice(-4),
    state: 'active',
    scopes: ['chat', 'models', 'completions.read', 'completions.write'],
    models: null,
    networks: ['127.0.0.1'],
    limits: {
      requests_per_minute: 5,
      tokens_per_minute: null,
      requests_in_flight: null,
      requests_per_day: null,
      tokens_per_day: 10_000,
      tokens_per_month: null,
      cost_per_day_micros: null,
      cost_per_month_micros: null,
    },
    created_at: now / 1000,
    expires_at: now / 1000 + 86_400,
    revoked_at: null,
    last_used_at: now / 1000,
    previous_secret_until: null,
    organisation_id: made.organisation_id,
    limit_use: [
      { scope: 'key', name: 'requests_per_minute', limit: 5, used: 1, remaining: 4, resets_at: now / 1000 + 60 },
      {
        ...{ scope: 'key', name: 'tokens_per_day', limit: 10_000 },
        ...{ used: usage.total_tokens, remaining: 10_000 - usage.total_tokens },
        // Midnight in Tokyo.
        resets_at: Date.UTC(2001, 10, 16, 15) / 1000,
      },
      {
        scope: 'organisation',
        name: 'requests_per_minute',
        limit: 60,
        used: 1,
        remaining: 59,
        resets_at: now / 1000 + 60,
      },
    ],
    usage: { time_zone: 'Asia/Tokyo', tokens_today: usage.total_tokens, tokens_this_month: usage.total_tokens },
  })
})

test('reading them does not count against the limits', async () => {
  const helix = await startHelix()
  const { call } = await createKeyMaker(helix)({ limits: { requestsPerMinute: 1 } })
  for (let count = 0; count < 3; count += 1)
    expect(await (await call('GET', '/v1/key')).json()).toMatchObject({ limit_use: [{ used: 0, remaining: 1 }] })
})
