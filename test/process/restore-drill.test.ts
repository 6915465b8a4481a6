import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const scratch = scratchPath()
const folder = join(scratch, 'backups')
const passphrase = { HELIX_BACKUP_PASSPHRASE: 'plum harbour lantern' }
const ours = (day: number): string => `helix-2020-01-0${day}T00-00-00-000Z.db`

let env: Record<string, string>
let key: string
let backup: string
/** A server with an added upstream, whose key only the secret key can read, and a folder with old backups. */
beforeAll(async () => {
  const own = await startUpstream((response) => say(response, 'own'))
  const added = await startUpstream((response, { headers }) =>
    headers.authorization === 'Bearer sk-added' ? say(response, 'Hello') : response.writeHead(401).end(),
  )
  env = { HELIX_UPSTREAM_URL: own.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
  const first = await startProgram({ env })
  const { dataDir } = first
  key = await first.createKey()
  const add = ['upstreams', 'add', 'added', added.baseUrl, '--models', 'm', '--data-dir', dataDir, '--key-stdin']
  const result = await runProgram(add, { input: 'sk-added\n' })
  expect(result).toMatchObject({ code: 0 })
  expect(await first.stop()).toBe(0)
  mkdirSync(folder)
  for (const day of [1, 2, 3]) writeFileSync(join(folder, ours(day)), '')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  const schedule = { HELIX_BACKUP_DIR: folder, HELIX_BACKUPS_KEPT: '2', ...passphrase }
  const program = await startProgram({ dataDir, env: { ...env, ...schedule } })
  const { file } = await program.logged({ event: 'backup_written' })
  backup = String(file)
  expect(await ask(program, 'm')).toBe(200)
  expect(await program.stop()).toBe(0)
  // The last one is recent enough.
  const again = await startProgram({ dataDir, env: { ...env, ...schedule } })
  expect(await again.stop()).toBe(0)
})

const ask = async ({ url }: Program, model: string): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

const restore = (dataDir: string, extra: readonly string[] = [], given: Record<string, string> = passphrase) =>
  runProgram(['restore', backup, '--data-dir', dataDir, ...extra], { env: given })

test('backups are written on schedule, as many as are wanted are kept, and other files are not touched', () => {
  const [oldest, newest] = [ours(3), backup.slice(folder.length + 1)]
  expect(readdirSync(folder).sort()).toEqual([oldest, newest, 'notes.txt'])
})

test('a server is made from the backup and its passphrase alone: keys, secrets and settings', async () => {
  const dataDir = join(scratch, 'drill')
  const checked = await restore(dataDir, ['--check'])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout).toMatch(/ is whole and can be restored\.\nIt contains a database at version \d+, /)
  for (const name of ['secrets.key', 'restored-settings.json', 'restored-models.json'])
    expect(checked.stdout).toContain(name)
  expect(existsSync(dataDir)).toBe(false)
  expect(await restore(dataDir)).toMatchObject({ code: 0, stderr: '' })
  const settings = join(dataDir, 'restored-settings.json')
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ upstreamModel: 'theirs', backupDir: folder })
  expect(JSON.parse(readFileSync(join(dataDir, 'restored-models.json'), 'utf8')).manifest).toHaveProperty('files')
  const program = await startProgram({ dataDir, args: ['--config', settings] })
  expect(await ask(program, 'm')).toBe(200)
  expect(await ask(program, 'theirs')).toBe(200)
  expect(await program.stop()).toBe(0)
})

test('a wrong passphrase restores nothing; without one the secrets are left out, and nothing reveals them', async () => {
  const dataDir = join(scratch, 'wrong')
  const wrong = await restore(dataDir, [], { HELIX_BACKUP_PASSPHRASE: 'wrong' })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('is not the one that it was written with') })
  expect(existsSync(dataDir)).toBe(false)
  const without = await restore(dataDir, [], {})
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining('they are left out') })
  expect(readdirSync(dataDir).sort()).toEqual(['helix.db', 'helix.lock', 'restored-models.json'])
  expect(readFileSync(backup).includes('sk-added')).toBe(false)
  expect(readFileSync(backup).includes('plum harbour')).toBe(false)
  const restored = readFileSync(join(dataDir, 'helix.db'))
  for (const name of ['secrets.key', 'restored-settings.json', 'restored-models.json'])
    expect([name, readFileSync(backup).includes(name), restored.includes(name)]).toEqual([name, true, false])
})
