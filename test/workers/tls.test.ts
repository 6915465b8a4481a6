import { expect, test } from 'vitest'
import { askApart } from '../harness/ask-apart.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { startWithWorkers } from '../harness/start-with-workers.ts'

test('workers answer over HTTPS, as a whole and as a stream', async () => {
  const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]
  const upstream = await startUpstream((response) => stream(response, ...parts))
  const helix = await startWithWorkers(upstream.baseUrl, { tls: 'self-signed' })
  expect(helix.url).toMatch(/^https:/)
  const whole = await Promise.all(Array.from({ length: 6 }, () => askApart(helix, helix.key)))
  for (const { status, text } of whole) {
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'Tides rise' } }] })
  }
  const streamed = await askApart(helix, helix.key, { stream: true })
  expect(streamed).toMatchObject({ status: 200, text: expect.stringMatching(/Tides.* rise.*\[DONE\]/s) })
})
