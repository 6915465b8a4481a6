import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { postMessages } from '../harness/post-messages.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

type UpstreamHandler = Parameters<typeof startUpstream>[0]
type Settings = NonNullable<Parameters<typeof startHelix>[0]>['config']

const start = async (answer: UpstreamHandler, config: Settings = {}, contextTokens: number | null = null) => {
  const upstream = await startUpstream(answer)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const engine = openRemoteEngine({
    ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName },
    ...{ contextTokens, slots: 4, created: 0, log },
  })
  const helix = await startHelix({ clock: createManualClock(), config, startEngine: () => engine })
  return { helix, limits: () => upstream.asked.map(({ body }) => body.max_tokens) }
}
const ok = (response: ServerResponse): void => sayJson(response, { content: 'ok' })

/** As Anthropic's own clients do, whatever the model. */
const asked = { max_tokens: 64_000 }

test('max_tokens far above the token limits is lowered to what they allow now, and never below 4,096', async () => {
  const arrived = Promise.withResolvers<void>()
  const more = Promise.withResolvers<void>()
  const { helix, limits } = await start(
    async (response) => {
      arrived.resolve()
      await more.promise
      ok(response)
    },
    { organisationTokensPerMinute: 10_000 },
  )
  const running = postMessages(helix, asked)
  await arrived.promise
  expect((await postMessages(helix, asked)).status).toBe(429)
  more.resolve()
  expect((await running).status).toBe(200)
  expect((await postMessages(helix, asked)).status).toBe(200)
  const [first = 0, second = 0] = limits().map(Number)
  expect(first).toBeGreaterThan(9_900)
  expect(first).toBeLessThan(10_000)
  // The first answer has used ten tokens.
  expect(second).toBe(first - 10)
  const [row] = await readLedger(helix)
  expect(row).toMatchObject({ reservedTokens: 10_000, settlement: { promptTokens: 7, completionTokens: 3 } })
})

test('a narrower limit is reserved completely, and without limits max_tokens stays', async () => {
  const narrow = await start(ok, { organisationTokensPerMinute: 1_000 })
  expect((await postMessages(narrow.helix, asked)).status).toBe(200)
  expect(Number(narrow.limits()[0])).toBeLessThan(1_000)
  expect(Number(narrow.limits()[0])).toBeGreaterThan(900)
  const open = await start(ok)
  expect((await postMessages(open.helix, asked)).status).toBe(200)
  expect(open.limits()).toEqual([64_000])
})

test('of a budget an upstream may use what is left, even if that is less than 4,096, with and without max_tokens', async () => {
  const { helix, limits } = await start(ok, { tokensPerDay: 1_000 })
  expect((await postMessages(helix, asked)).status).toBe(200)
  expect((await postMessages(helix, asked)).status).toBe(200)
  expect((await helix.chat({})).status).toBe(200)
  expect((await helix.chat({ max_tokens: 990 })).status).toBe(429)
  const [first = 0, second = 0, third = 0] = limits().map(Number)
  expect(first).toBeGreaterThan(900)
  // The first answer has used ten tokens.
  expect(second).toBe(first - 10)
  expect(third).toBeGreaterThan(900)
  expect(third).toBeLessThan(1_000)
})

test('it is lowered to the context, and to what an upstream says that it accepts', async () => {
  const known = await start(ok, {}, 32_768)
  expect((await postMessages(known.helix, asked)).status).toBe(200)
  expect(Number(known.limits()[0])).toBeLessThan(32_768)
  expect(Number(known.limits()[0])).toBeGreaterThan(32_700)

  const message =
    'max_tokens is too large: 64000. This model supports at most 16384 completion tokens, whereas you provided 64000.'
  const unknown = await start((response, { body }) => {
    if (Number(body.max_tokens) <= 16_384) return ok(response)
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  })
  expect((await postMessages(unknown.helix, asked)).status).toBe(200)
  expect(unknown.limits()).toEqual([64_000, 16_384])
  // A limit that a caller of chat completions chose is not changed.
  expect((await unknown.helix.chat(asked)).status).toBe(400)
})
