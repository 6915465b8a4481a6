import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { postMessages } from '../harness/post-messages.ts'
import { startHelix } from '../harness/start-helix.ts'

test('a limit that refuses is in the details of the error, named as in the other APIs', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  expect((await postMessages(helix, {})).status).toBe(200)
  const refused = await postMessages(helix, {})
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    type: 'error',
    error: {
      type: 'rate_limit_error',
      details: {
        error_code: 'rate_limit_exceeded',
        limit: {
          ...{ name: 'requests_per_minute', scope: 'organisation', limit: 1, used: 1, requested: 1 },
          resets_at: Math.ceil((clock.now() + 60_000) / 1000),
        },
      },
    },
  })
})
