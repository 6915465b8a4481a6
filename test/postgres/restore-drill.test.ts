import { randomBytes } from 'node:crypto'
import { delimiter } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentedBlock } from '../harness/documented-block.ts'
import { endsWithFile } from '../harness/ends-with-file.ts'
import { findPostgres } from '../harness/postgres/find-postgres.ts'
import { databaseUrl, execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { bareEnvironment, runProgram } from '../harness/run-program.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const postgres = await startedPostgres()
const programs = postgres === null ? null : await findPostgres()

const ask = async ({ url }: Program, key: string): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'ours', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

describe.skipIf(programs === null)('a database that was dumped', () => {
  test('is restored by the documented commands: keys work, and totals are those of the ledger', async () => {
    const server = postgres?.url ?? ''
    const [name, restored] = ['dumped', 'restored'].map((each) => `helix_${each}_${randomBytes(6).toString('hex')}`)
    const drop = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`
    endsWithFile(() => execSql(server, drop, drop.replace(name ?? '', restored ?? '')))
    await execSql(server, `CREATE DATABASE ${name}`)
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const stores = { STORE: databaseUrl(server, name ?? ''), RESTORED: databaseUrl(server, restored ?? '') }
    const start = (store: string): Promise<Program> =>
      startProgram({
        env: {
          HELIX_STORE: store,
          HELIX_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          HELIX_UPSTREAM_URL: upstream.baseUrl,
          HELIX_UPSTREAM_MODEL: 'theirs',
          HELIX_MODEL_NAME: 'ours',
        },
      })
    const before = await start(stores.STORE)
    const key = await before.createKey()
    for (let count = 0; count < 3; count++) expect(await ask(before, key)).toBe(200)

    // While the server runs. Other tests use the same PostgreSQL, so the new database has a name of its own.
    const commands = documentedBlock('docs/operate/backup.md', 'sh postgres').replace(' restored\n', ` ${restored}\n`)
    const env = { ...stores, PATH: `${programs}${delimiter}${bareEnvironment().PATH}` }
    expect(await runProgram(['-ec', commands], { command: '/bin/sh', env })).toMatchObject({ code: 0, stderr: '' })
    expect(await before.stop()).toBe(0)

    const after = await start(stores.RESTORED)
    expect(await ask(after, key)).toBe(200)
    const verified = await runProgram(['usage', '--verify', '--json', '--data-dir', after.dataDir])
    expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] })
    const used = await runProgram(['usage', '--json', '--data-dir', after.dataDir])
    expect(used.stdout).toMatch(/"requests": *4\b/)
    expect(await after.stop()).toBe(0)
  }, 300_000)
})
