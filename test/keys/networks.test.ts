import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let makeKey: ReturnType<typeof createKeyMaker>
beforeAll(async () => {
  helix = await openHelix({ config: { trustedProxies: ['loopback'] } })
  makeKey = createKeyMaker(helix)
  return helix.close
})

test('a key works only from its networks, by the address that the proxy reports', async () => {
  const { call } = await makeKey({ networks: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'] })
  const from = async (address: string) =>
    (await call('GET', '/v1/models', undefined, { 'x-forwarded-for': address })).status
  for (const address of ['192.0.2.1', '::ffff:192.0.2.255', '2001:DB8:0:5::1', '198.51.100.7'])
    expect(await from(address), address).toBe(200)
  for (const address of ['192.0.3.1', '198.51.100.8', '2001:db9::1', '127.0.0.1', '::1'])
    expect(await from(address), address).toBe(403)
})

test('the error names the address, and precedes the check of the scope', async () => {
  const { call } = await makeKey({ networks: ['192.0.2.0/24'], scopes: ['models'] })
  const response = await call('GET', '/v1/usage', undefined, { 'x-forwarded-for': '203.0.113.9' })
  expect(response.status).toBe(403)
  expect(await readError(response)).toEqual({
    message: 'This API key cannot be used from the address 203.0.113.9.',
    type: 'invalid_request_error',
    param: null,
    code: 'network_not_allowed',
  })
})

test('addresses that a client claims for itself are ignored', async () => {
  const bare = await startHelix()
  const { call } = await createKeyMaker(bare)({ networks: ['192.0.2.0/24'] })
  expect((await call('GET', '/v1/models', undefined, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(403)
})

test('the local socket counts as the loopback address', async () => {
  const viaSocket = ({ key }: { key: string }): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` }
      const outgoing = request({ socketPath: controlSocketPath(helix.dataDir), path: '/v1/models', headers })
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
      outgoing.end()
    })
  expect(await viaSocket(await makeKey({ networks: ['127.0.0.0/8'] }))).toBe(200)
  expect(await viaSocket(await makeKey({ networks: ['192.0.2.0/24'] }))).toBe(403)
})

test('a connection that was reset before its request was read does not count as local', async () => {
  const bare = await startHelix()
  const { id, key } = await createKeyMaker(bare)({ networks: ['127.0.0.0/8'] })
  const { hostname, port } = new URL(bare.url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.write(rawRequests({ key }).get('/v1/models'))
  socket.resetAndDestroy()
  // Connections are taken in their order, and a server that has stopped has logged all its requests.
  expect((await bare.get('/v1/models')).status).toBe(200)
  await bare.server.close()
  expect(bare.logLines.filter((line) => line.includes(id))).toEqual([])
})
