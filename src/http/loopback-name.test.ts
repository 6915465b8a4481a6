import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { loopbackName } from './loopback-name.ts'

const listenAt = async (host: string, port = 0): Promise<number> => {
  const server: Server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a server on a loopback address is printed as localhost, for which browsers create passkeys', async () => {
  const port = await listenAt('127.0.0.1')
  expect(await loopbackName('127.0.0.1', port)).toBe('localhost')
})

test('if another program listens on the other loopback address, the address is printed', async () => {
  const port = await listenAt('127.0.0.1')
  expect(await loopbackName('::1', port)).toBe('::1')
})

test.each(['192.0.2.7', 'chat.example.com'])('%s is printed as it is', async (host) => {
  expect(await loopbackName(host, 8080)).toBe(host)
})

test.each(['0.0.0.0', '::'])('%s, which leads nowhere, is printed as an address of this machine', async (host) => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const printed = await loopbackName(host, 8080)
  expect(printed === 'localhost' || own.some(({ address }) => address === printed)).toBe(true)
})
