import { chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { freePort } from '../harness/free-port.ts'
import { findPostgres } from '../harness/postgres/find-postgres.ts'
import { startPostgres } from '../harness/postgres/start-postgres.ts'
import { unprivilegedUser } from '../harness/postgres/unprivileged-user.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const programs = await findPostgres()

/** Files that PostgreSQL's user may read; it insists that nobody else may. */
const writePair = () => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-pg-tls-'))
  const { certPem, keyPem } = createSelfSigned({ now: Date.now() })
  const pair = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') }
  writeFileSync(pair.cert, certPem)
  writeFileSync(pair.key, keyPem, { mode: 0o600 })
  const user = unprivilegedUser()
  if (user !== null) for (const path of [folder, pair.cert, pair.key]) chownSync(path, user.uid, user.gid)
  return pair
}

const startWithTls = async () => {
  const { cert, key } = writePair()
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    ssl: 'on',
    ssl_cert_file: cert,
    ssl_key_file: key,
  }
  const server = await startPostgres(programs ?? '', { settings })
  onTestFinished(() => server.close())
  return { cert, address: (host: string, query: string) => `postgres://postgres@${host}:${port}/postgres?${query}` }
}

const migrate = (url: string) =>
  runProgram(['migrate', '--data-dir', join(scratchPath(), 'data')], { env: { HELIX_STORE: url } })

describe.skipIf(programs === null)('PostgreSQL with TLS', () => {
  test('is verified by the authority that the URL names, and refused otherwise', async () => {
    const { cert, address } = await startWithTls()
    const trusted = await migrate(address('127.0.0.1', `sslmode=verify-full&sslrootcert=${cert}`))
    expect(trusted).toMatchObject({ code: 0, stderr: '' })
    const unknown = await migrate(address('127.0.0.1', 'sslmode=verify-full'))
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/^helix: Cannot open 127\.0\.0\.1:\d+\/postgres: .*self-signed certificate/)
  })

  test('must have the name it is asked by', async () => {
    const { cert, address } = await startWithTls()
    const misnamed = await migrate(address('127.1', `sslmode=verify-full&sslrootcert=${cert}`))
    expect(misnamed.code).toBe(1)
  })
})
