import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { askApart } from '../harness/ask-apart.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'
import { startWithWorkers, twoWorkers } from '../harness/start-with-workers.ts'

const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]

/** Of the certificate that a new connection sees. */
const fingerprintAt = async (url: string): Promise<string> => {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

test('workers answer over HTTPS, as a whole and as a stream', async () => {
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

test('a worker that replaces another shows the certificate that came while it was about to listen', async () => {
  let aheadMs = 0
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs }
  const upstream = await startUpstream((response) => stream(response, ...parts))
  const helix = await startHelix({ ...twoWorkers(upstream.baseUrl, { tls: 'self-signed' }), clock })
  const { workers } = helix.server
  // One that died in its first second would wait before it is replaced.
  aheadMs = 2000
  await workers?.kill(0)
  const next = createSelfSigned({ now: clock.now() })
  workers?.setCertificate({ cert: Buffer.from(next.certPem), key: Buffer.from(next.keyPem) })
  await workers?.idle()
  const shown = await Promise.all(Array.from({ length: 40 }, () => fingerprintAt(helix.url)))
  expect(new Set(shown)).toEqual(new Set([new X509Certificate(next.certPem).fingerprint256]))
})
