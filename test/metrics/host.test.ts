import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type HelixOptions, startHelix } from '../harness/start-helix.ts'

const startMetrics = async (config: HelixOptions['config']) => {
  const helix = await startHelix({ config: { metricsPort: 0, ...config } })
  const { port } = await helix.logged({ event: 'metrics_listening' })
  return async (host: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    return text(socket)
  }
}

test('a page whose name resolves to this machine does not read metrics that need no key', async () => {
  const ask = await startMetrics({})
  const refused = await ask('rebound.example.net:9464')
  expect(refused).toMatch(/^HTTP\/1.1 421 /)
  expect(refused).not.toContain('helix_')
  for (const host of ['localhost:9464', '127.0.0.1', '[::1]:1']) expect(await ask(host)).toMatch(/^HTTP\/1.1 200 /)
})

test('the public name is one of this machine, and on other addresses monitoring may use any', async () => {
  const named = await startMetrics({ publicUrl: 'https://chat.example.com' })
  expect(await named('chat.example.com:9464')).toMatch(/^HTTP\/1.1 200 /)
  expect(await named('rebound.example.net')).toMatch(/^HTTP\/1.1 421 /)
  const elsewhere = await startMetrics({ metricsHost: '0.0.0.0' })
  expect(await elsewhere('helix.monitoring.svc:9464')).toMatch(/^HTTP\/1.1 200 /)
})
