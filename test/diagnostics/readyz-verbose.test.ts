import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { startHelix } from '../harness/start-helix.ts'

type Answer = { status: string; dependencies: Record<string, { state: string; age_ms: number; since_ms: number }> }
const ask = async (url: string): Promise<Answer> => JSON.parse(await (await fetch(url)).text())

test('a program on this machine learns the state and age of each dependency, without addresses and folders', async () => {
  const clock = createManualClock(Date.UTC(2002, 0, 1))
  const helix = await startHelix({ clock, config: { nodeName: 'secret-name' } })
  const plain = await ask(`${helix.url}/readyz`)
  expect(plain).toEqual({ status: 'ready', checks: { model: 'ready', store: 'ok' } })

  const first = await ask(`${helix.url}/readyz?verbose`)
  expect(first).toMatchObject(plain)
  const names = ['runtime', 'settings', 'data_directory', 'disk', 'database', 'clock', 'ledger', 'backup', 'redis']
  expect(Object.keys(first.dependencies)).toEqual([
    ...names,
    'models',
    'gpu',
    'upstreams',
    'port',
    'tls',
    'public_address',
  ])
  expect(first.dependencies.database).toEqual({ state: 'ok', age_ms: 0, since_ms: 0 })
  expect(first.dependencies.backup?.state).toBe('warning')
  const text = JSON.stringify(first)
  for (const secret of [helix.dataDir, 'secret-name', '127.0.0.1', process.versions.node])
    expect(text).not.toContain(secret)

  clock.advance(500)
  const again = await ask(`${helix.url}/readyz?verbose=1`)
  expect(again.dependencies.database).toEqual({ state: 'ok', age_ms: 500, since_ms: 500 })
  clock.advance(60_000)
  const later = await ask(`${helix.url}/readyz?verbose`)
  expect(later.dependencies.database).toEqual({ state: 'ok', age_ms: 0, since_ms: 60_500 })
  expect(await helix.control('GET', '/readyz?verbose')).toHaveProperty('dependencies')
})

test('a request through a proxy gets the short answer', async () => {
  const helix = await startHelix()
  const connection = await openRawConnection(helix.url)
  for (const header of ['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=x', 'X-Real-IP: 203.0.113.9', 'Via: 1.1 x']) {
    connection.send(`GET /readyz?verbose HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`)
    const { status, body } = await connection.answer()
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 200,
      body: { status: 'ready', checks: { model: 'ready', store: 'ok' } },
    })
  }
})
