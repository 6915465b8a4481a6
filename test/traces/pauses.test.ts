import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { startCollector } from '../harness/start-collector.ts'
import { modelName, openHelix } from '../harness/start-helix.ts'

test('each pause of an answer is a span of its trace', async () => {
  const collector = await startCollector()
  const helix = await openHelix({
    clock: createManualClock(),
    engine: { slots: 1, canPause: true, model: { contextTokens: 1_000_000 } },
    config: { tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 1 },
    *answer([message]) {
      for (let number = 1; number <= Number(message?.content); number += 1) yield `${number} `
    },
  })
  await claimServer(helix)
  const ask = async (email: string, content: string) => {
    const { firstKey } = await signUp(helix.url, email)
    const response = await fetch(`${helix.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content }], stream: true }),
    })
    return response.text()
  }
  await Promise.all([ask('one@a.test', '1200'), ask('two@a.test', '1200')])
  const logged = helix.logLines.map((line) => JSON.parse(line)).filter(({ pauses }) => pauses > 0)
  await helix.close()
  const spans = collector.spans()
  const pausesOf = (traceId: string) => spans.filter((span) => span.traceId === traceId && span.name === 'pause').length
  expect(logged.length).toBeGreaterThan(0)
  // The first 64 are shown.
  for (const { traceId, pauses } of logged) expect(pausesOf(traceId)).toBe(Math.min(64, pauses))
})
