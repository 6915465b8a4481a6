import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { migrations } from '../../src/store/migrations/migrations.ts'
import { unpackNextVersion } from '../harness/next-version.ts'
import { runProgram } from '../harness/run-program.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const newest = migrations.at(-1)?.id ?? 0
let env: Record<string, string>
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
})

const ask = async ({ url }: Program, key: string): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'ours', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

const check = (dataDir: string, helix?: string) =>
  runProgram(['upgrade', '--check', '--data-dir', dataDir], helix === undefined ? { env } : { env, command: helix })

test('a newer version says what it will do, migrates after a backup, and this version starts again afterwards', async () => {
  const next = unpackNextVersion({ readableSince: newest })
  const now = await startProgram({ env })
  const { dataDir } = now
  const key = await now.createKey()
  expect(await ask(now, key)).toBe(200)
  // While this version runs.
  const checked = await check(dataDir, next)
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout).toContain(`Database: version ${newest} will be migrated to ${newest + 1}:\n`)
  expect(checked.stdout).toContain(`  ${newest + 1}  an addition\nBackup: made before the migration. It needs `)
  expect(checked.stdout).toContain(
    'Going back: the version that uses the database now can be started again afterwards.',
  )
  expect(checked.stdout).toContain('Settings: all that are set are valid. Since 0.1.0, ')
  expect(await now.stop()).toBe(0)

  const later = await startProgram({ dataDir, env, helix: next })
  const { backup } = await later.logged({ event: 'database_migrated' })
  expect(readdirSync(join(dataDir, 'backups')).map((name) => join(dataDir, 'backups', name))).toEqual([backup])
  expect(await ask(later, key)).toBe(200)
  expect(await later.stop()).toBe(0)

  const back = await startProgram({ dataDir, env })
  expect(await ask(back, key)).toBe(200)
  expect(await ask(back, await back.createKey())).toBe(200)
  expect(await back.stop()).toBe(0)
  expect((await check(dataDir)).stdout).toContain(`Database: at version ${newest + 1}; nothing to migrate.`)

  const again = await startProgram({ dataDir, env, helix: next })
  expect(await ask(again, key)).toBe(200)
  expect(await again.stop()).toBe(0)
})

test('after a migration that does not allow it, this version refuses, and --check had said so', async () => {
  const next = unpackNextVersion()
  const now = await startProgram({ env })
  const { dataDir } = now
  expect(await now.stop()).toBe(0)
  expect((await check(dataDir, next)).stdout).toContain('Going back: only with a backup from before')
  const later = await startProgram({ dataDir, env, helix: next })
  expect(await later.stop()).toBe(0)
  const refused = await runProgram(['serve', '--port', '0', '--data-dir', dataDir], { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('run a newer version of Helix') })
  expect(await check(dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run a newer version of Helix'),
  })
})

test('it only looks, and says so if it is asked for more; settings that are not known are an error', async () => {
  const { code, stderr } = await runProgram(['upgrade', '--data-dir', '/nowhere'])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('requires --check') })
  expect((await check('/nowhere')).stdout).toContain('Database: none yet; it will be created.')
  const unknown = await runProgram(['upgrade', '--check'], { env: { HELIX_GONE: '1' } })
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('unknown setting HELIX_GONE') })
})

test('it says that answers change if the included model is served and has other weights than the last release', async () => {
  const line = 'Answers of helix-v1 change, also at temperature 0 or with a seed: it has other weights than in 0.1.0.'
  const asked = ['upgrade', '--check', '--data-dir', '/nowhere']
  expect((await runProgram(asked)).stdout).toContain(line)
  expect(JSON.parse((await runProgram([...asked, '--json'])).stdout)).toMatchObject({
    models: { since: '0.1.0', changedWeights: ['helix-v1'] },
  })
  expect((await check('/nowhere')).stdout).not.toContain('Answers of')
})
