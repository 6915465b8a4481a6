import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../src/http/tls/self-signed.ts'
import { createManualClock } from './harness/manual-clock.ts'
import { openRawConnection } from './harness/raw-connection.ts'
import { startHelix } from './harness/start-helix.ts'
import { tempDir } from './harness/temp-dir.ts'

const createPair = () => createSelfSigned({ now: Date.now() })
const writePair = async (directory: string, certPem: string, keyPem: string) => {
  const paths = { tlsCert: join(directory, 'tls.crt'), tlsKey: join(directory, 'tls.key') }
  // By rename, as certificate tools do: nobody sees half a file.
  for (const [path, content] of [
    [paths.tlsKey, keyPem],
    [paths.tlsCert, certPem],
  ] as const) {
    await writeFile(`${path}.new`, content)
    await rename(`${path}.new`, path)
  }
  return paths
}
const fingerprintOf = (certPem: string): string => new X509Certificate(certPem).fingerprint256

/** A new connection; resolves when the handshake is done. */
const shakeHands = async (url: string): Promise<TLSSocket> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false })
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'secureConnect')
  return socket
}
const health = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(`${url}/healthz`, { ca, agent: false }, (response) => resolve(text(response))).on('error', reject)
  })

test('a replaced certificate applies to the next connection, and existing ones continue', async () => {
  const directory = await tempDir()
  const [first, second] = [createPair(), createPair()]
  const paths = await writePair(directory, first.certPem, first.keyPem)
  const helix = await startHelix({ config: paths })
  expect(helix.url).toMatch(/^https:/)
  const open = await shakeHands(helix.url)
  expect(open.getPeerCertificate().fingerprint256).toBe(fingerprintOf(first.certPem))

  await writePair(directory, second.certPem, second.keyPem)
  await helix.logged({ event: 'certificate_changed' })
  expect((await shakeHands(helix.url)).getPeerCertificate().fingerprint256).toBe(fingerprintOf(second.certPem))
  expect(await health(helix.url, second.certPem)).toContain('"status":"ok"')
  open.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String((await once(open, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})

test('a broken certificate is logged and changes nothing', async () => {
  const directory = await tempDir()
  const { certPem, keyPem } = createPair()
  const paths = await writePair(directory, certPem, keyPem)
  const helix = await startHelix({ config: paths })
  await writePair(directory, 'not a certificate', keyPem)
  const event = await helix.logged({ event: 'certificate_refused' })
  expect(event).toMatchObject({ level: 'error', error: `HELIX_TLS_CERT: ${paths.tlsCert} is not a PEM certificate` })
  expect(await health(helix.url, certPem)).toContain('"status":"ok"')
})

test.each([
  [
    'a key of another certificate',
    () => [createPair().certPem, createPair().keyPem],
    /HELIX_TLS_KEY: .*does not match/,
  ],
  ['nonsense', () => ['nonsense', 'nonsense'], /HELIX_TLS_CERT: .* is not a PEM certificate/],
])('%s at startup is a one-line error, and nothing is left running', async (_, makePair, message) => {
  const directory = await tempDir()
  const [certPem = '', keyPem = ''] = makePair()
  const paths = await writePair(directory, certPem, keyPem)
  const dataDir = await tempDir()
  const refusal = await startHelix({ config: { ...paths, dataDir } }).catch((error) => error)
  expect(refusal.message).toMatch(message)
  expect(refusal.message).not.toContain('\n')
  // The data directory is free again: the same server starts with a good pair.
  const good = createPair()
  await writePair(directory, good.certPem, good.keyPem)
  const helix = await startHelix({ config: { ...paths, dataDir } })
  expect(await health(helix.url, good.certPem)).toContain('"status":"ok"')
})

test('plain HTTP, garbage and incomplete handshakes on the HTTPS port do no harm', async () => {
  const helix = await startHelix({ config: { tls: 'self-signed' } })
  for (const words of ['GET / HTTP/1.1\r\nhost: x\r\n\r\n', 'nonsense\r\n\r\n', '\u0016\u0003\u0001\u0002']) {
    const connection = await openRawConnection(helix.url)
    connection.send(words)
    connection.socket.end()
    await connection.ended().catch(() => 'a reset is an answer too')
  }
  const socket = await shakeHands(helix.url)
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  expect(helix.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('invalid HTTP inside TLS gets the same error as without', async () => {
  const helix = await startHelix({ config: { tls: 'self-signed' } })
  const socket = await shakeHands(helix.url)
  socket.write('nonsense\r\n\r\n')
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /)
  await helix.logged({ event: 'request', status: 400, error: 'malformed_http' })
})

test('a handshake that never ends does not delay shutdown', async () => {
  const helix = await startHelix({ config: { tls: 'self-signed' }, clock: createManualClock() })
  const socket = connectTcp({ host: '127.0.0.1', port: Number(new URL(helix.url).port) })
  await once(socket, 'connect')
  // The server has seen the silent one by the time it has answered a later one.
  await shakeHands(helix.url)
  const closed = once(socket, 'close')
  await helix.server.close()
  await closed
})
