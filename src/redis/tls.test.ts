import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openScratchRedis } from '../../test/harness/redis/open-scratch-redis.ts'
import { startRedis } from '../../test/harness/redis/start-redis.ts'
import { startedRedis } from '../../test/harness/redis/started-redis.ts'
import { OperatorError } from '../base/operator-error.ts'
import { createSelfSigned } from '../http/tls/self-signed.ts'
import { examineRedis } from './examine-redis.ts'

const { program = null } = (await startedRedis()) ?? {}

/** Files with a certificate of its own for 127.0.0.1. */
const createPair = (): { cert: string; key: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-redis-tls-'))
  const { certPem, keyPem } = createSelfSigned({ now: Date.now() })
  const pair = { cert: join(folder, 'redis.crt'), key: join(folder, 'redis.key') }
  writeFileSync(pair.cert, certPem)
  writeFileSync(pair.key, keyPem)
  return pair
}

/** Only the user `helix` may use it, and only with TLS. */
const startWithTls = async () => {
  const tls = createPair()
  const users = ['--user', 'default', 'off', '--user', 'helix', 'on', '>pass/word', '~*', '&*', '+@all']
  const server = await startRedis(program ?? '', { tls, settings: [...users, '--bind', '127.0.0.1', '127.0.0.2'] })
  onTestFinished(() => server.close())
  const { host } = new URL(server.url)
  return { tls, host, url: (query: string, user = 'helix:pass%2Fword@') => `rediss://${user}${host}/${query}` }
}

const failure = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof OperatorError)) throw new Error('it fails with a message for the operator', { cause: error })
  expect(error.message).not.toMatch(/pass\/|pass%|other-/)
  return error.message
}

describe.skipIf(program === null)('Redis with TLS', () => {
  test('is verified by the authority that the URL names, and asked as the user in the URL', async () => {
    const { tls, host, url } = await startWithTls()
    const address = url(`?sslrootcert=${tls.cert}`)
    await using one = await openScratchRedis(address)
    expect(await one.redis.call('INCR', 'n')).toBe(1)
    expect(await examineRedis([address], 30_000)).toContain(` at ${host}`)
  })

  test('gets the certificate that the URL names', async () => {
    const { tls, url } = await startWithTls()
    const address = url(`?sslrootcert=${tls.cert}&sslcert=${tls.cert}&sslkey=${tls.key}`)
    // It is for servers only, so Redis refuses it.
    expect(await failure(openScratchRedis(address))).toMatch(/unsupported certificate; check HELIX_REDIS$/)
  })

  test('is not used if its certificate cannot be verified', async () => {
    const { url, host } = await startWithTls()
    const wrong = createPair().cert
    for (const query of ['', `?sslrootcert=${wrong}`]) {
      const message = await failure(openScratchRedis(url(query)))
      expect(message).toMatch(
        /certificate is not trusted \(.*\); add sslrootcert=\/path\/to\/ca\.pem to its URL in HELIX_REDIS$/,
      )
      expect(message).toContain(`Cannot use Redis at ${host}: `)
      expect(await failure(examineRedis([url(query)], 30_000))).toBe(message)
    }
  })

  test('is not used under a name that its certificate does not have', async () => {
    const { tls, url } = await startWithTls()
    const elsewhere = url(`?sslrootcert=${tls.cert}`).replace('127.0.0.1', '127.0.0.2')
    expect(await failure(openScratchRedis(elsewhere))).toContain('its certificate is for another host')
  })

  test('a wrong password and a missing file are named without the password', async () => {
    const { tls, url } = await startWithTls()
    const wrong = url(`?sslrootcert=${tls.cert}`, 'helix:other-pass@')
    expect(await failure(openScratchRedis(wrong))).toContain('WRONGPASS')
    expect(await failure(openScratchRedis(url('?sslrootcert=/nowhere/ca.pem')))).toContain(
      "no such file or directory, open '/nowhere/ca.pem'; check HELIX_REDIS",
    )
  })
})
