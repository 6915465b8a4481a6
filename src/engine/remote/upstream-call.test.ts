import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import type { UpstreamCall } from './upstream-call.ts'
import { openUpstreamClient } from './upstream-client.ts'

/** An upstream whose answers are written by the test, and over how many connections it was asked. */
const startTried = async () => {
  const responses: ServerResponse[] = []
  const seen = { connections: 0 }
  const server = createServer((request, response) => {
    request.resume()
    responses.push(response)
    server.emit('asked')
  }).listen(0, '127.0.0.1')
  server.on('connection', () => {
    seen.connections += 1
  })
  await once(server, 'listening')
  const client = openUpstreamClient({
    ...{
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      key: null,
      kind: 'compatible',
      apiVersion: null,
      model: 'm',
      tls: null,
    },
    ...{ silenceLimitMs: 60_000, headLimitMs: 60_000, connectLimitMs: 60_000, clock: systemClock },
  })
  onTestFinished(() => {
    client.close()
    server.close()
  })
  const ask = async (signal: AbortSignal): Promise<{ call: UpstreamCall; response: ServerResponse }> => {
    const asked = once(server, 'asked')
    const call = client.post('/chat/completions', '{}', { stream: false, signal, tenant: 'one' })
    await asked
    const response = responses.at(-1)
    if (response === undefined) throw new Error('the upstream was not asked')
    return { call, response }
  }
  return { ask, seen }
}

const readAll = async (call: UpstreamCall): Promise<string> => {
  const parts: Buffer[] = []
  for (let bytes = call.take(); bytes !== null; bytes = call.take()) {
    if (bytes === undefined) await call.changed()
    else parts.push(bytes)
  }
  return Buffer.concat(parts).toString()
}

test('a caller that leaves when its answer has arrived does not break off the next request on the same connection', async () => {
  const { ask, seen } = await startTried()
  const leaving = new AbortController()
  const first = await ask(leaving.signal)
  first.response.end('{"first":true}')
  while (first.call.heldBytes() === 0) await first.call.changed()
  // The end comes with the last bytes, in the same turn.
  await new Promise<void>((resolve) => setImmediate(resolve))
  const second = await ask(new AbortController().signal)
  expect(seen.connections).toBe(1)
  leaving.abort()
  second.response.end('{"second":true}')
  expect(await readAll(second.call)).toBe('{"second":true}')
  expect(await readAll(first.call)).toBe('{"first":true}')
})

test('a caller that leaves in the middle of its answer gets no more of it', async () => {
  const { ask } = await startTried()
  const leaving = new AbortController()
  const { call, response } = await ask(leaving.signal)
  response.write('{"first":')
  while (call.heldBytes() === 0) await call.changed()
  leaving.abort()
  expect(call.take()?.toString()).toBe('{"first":')
  expect(() => call.take()).toThrow('aborted')
  await once(response, 'close')
})
