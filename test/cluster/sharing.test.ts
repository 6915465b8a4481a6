import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { postgresMigrations } from '../../src/store/migrations/migrations.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { claimServer, openBrowser, tokenOf } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { modelName, openHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

describe.skipIf(!hasCluster)('nodes', () => {
  test('the link of any node makes the first person the owner, once', async () => {
    const { node } = await startCluster({ nodes: 2 })
    const [first, second] = [node(1).server.claimUrl, node(2).server.claimUrl]
    expect(first).not.toBeNull()
    // The link that the first node printed, although the second has printed another since, at the second.
    await claimServer({ server: { url: node(2).url, claimUrl: first } })
    const browser = await openBrowser(node(1).url)
    const body = { token: tokenOf(second), email: 'other@example.com', password: 'plum harbour lantern' }
    expect((await browser.post('/setup', body)).status).toBe(400)
  })

  test('somebody who signed in at one node is signed in at the others, and signed out everywhere', async () => {
    const { node } = await startCluster({ nodes: 2 })
    const owner = await claimServer(node(1))
    const elsewhere = await openBrowser(node(2).url)
    for (const [name, value] of owner.cookies) elsewhere.cookies.set(name, value)
    expect((await elsewhere.load()).account?.email).toBe('owner@example.com')
    expect((await elsewhere.post('/keys', { name: 'made elsewhere' })).status).toBeLessThan(300)
    expect(JSON.stringify(await (await owner.get('/keys')).json())).toContain('made elsewhere')
    expect((await elsewhere.post('/sign-out')).status).toBeLessThan(300)
    expect((await owner.load()).account).toBeNull()
  })

  test('the owner sees all of them at each, and the command line lists them', async () => {
    const { node } = await startCluster({ nodes: 2 })
    const owner = await claimServer(node(1))
    const { data } = (await (await owner.get('/admin/nodes')).json()) as { data: { name: string; isOwn: boolean }[] }
    expect(data.map(({ name, isOwn }) => ({ name, isOwn }))).toEqual([
      { name: 'node-1', isOwn: true },
      { name: 'node-2', isOwn: false },
    ])
    expect(await node(2).control('GET', '/control/nodes')).toMatchObject({
      data: [{ name: 'node-1' }, { name: 'node-2', models: [modelName] }],
    })
    await node(2).server.close()
    expect(await node(1).control('GET', '/control/nodes')).toMatchObject({ data: [{ name: 'node-1' }] })
  })

  test('a node with another secret key is refused with a line that says what to copy where', async () => {
    const { join: joinCluster } = await startCluster({ nodes: 1 })
    const other = { secretKey: Buffer.alloc(32, 2).toString('base64') }
    await expect(joinCluster(2, { config: other })).rejects.toThrow(/copy secrets\.key from .* or set HELIX_SECRET_KEY/)
    const dataDir = await tempDir()
    await expect(joinCluster(2, { config: { secretKey: null, dataDir } })).rejects.toThrow(
      `to ${join(dataDir, 'secrets.key')}`,
    )
    // It would be in the way when the right one is copied.
    expect(existsSync(join(dataDir, 'secrets.key'))).toBe(false)
    await joinCluster(2)
  })

  test('a server without Redis is refused while nodes use the database', async () => {
    const { databaseUrl: store } = await startCluster({ nodes: 1 })
    await expect(openHelix({ config: { store } })).rejects.toThrow('Without HELIX_REDIS only one can use it at a time')
  })

  test('a node goes on while a newer version adds a table and a column', async () => {
    const cluster = await startCluster({ nodes: 1 })
    const before = cluster.node(1)
    const newest = postgresMigrations.at(-1)?.id ?? 0
    const addition = {
      id: newest + 1,
      name: 'an addition',
      postgres: 'ALTER TABLE api_keys ADD COLUMN colour TEXT; CREATE TABLE extras (id TEXT PRIMARY KEY);',
    }
    const store = await openPostgresStore({
      ...{ url: cluster.databaseUrl, clock: createManualClock(), poolSize: 2, isShared: true },
      migrations: [...postgresMigrations, addition],
    })
    try {
      const asked = await before.chat({})
      expect(asked.status).toBe(200)
      await asked.text()
      const id = asked.headers.get('x-request-id') ?? ''
      expect(await before.control('POST', '/control/keys', { name: 'after' })).toHaveProperty('key')
      // What the older version wrote is there for the newer one.
      expect(await store.ledger.find(id)).toMatchObject({ requestId: id, settlement: { outcome: 'completed' } })
      expect((await store.keys.list('all')).map(({ name }) => name)).toContain('after')
      await expect(cluster.join(2)).rejects.toThrow('run a newer version of Helix')
    } finally {
      await store.close()
    }
  })
})
