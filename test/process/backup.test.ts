import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../harness/run-command.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const scratch = scratchPath()
const inScratch = (name: string): string => join(scratch, name)
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

let env: Record<string, string>
let program: Program
/** Written by the running server, with a key in it. */
const backup = inScratch('backup.db')
let key: string
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
  program = await startProgram({ env })
  key = await program.createKey()
  const written = await runProgram(['backup', 'backup.db', '--data-dir', program.dataDir], { cwd: scratch })
  expect(written).toEqual({ code: 0, stdout: `Wrote ${backup}.\n`, stderr: '' })
})
const modelsWith = (url: string): Promise<Response> =>
  fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })

test('a backup of a running server, restored elsewhere, accepts the same keys', async () => {
  expect(modeOf(backup)).toBe('600')
  expect((await modelsWith(program.url)).status).toBe(200)
  const dataDir = inScratch('restored')
  const restored = await runProgram(['restore', backup, '--data-dir', dataDir])
  expect(restored).toEqual({ code: 0, stdout: `Restored ${backup} to ${dataDir}.\n`, stderr: '' })
  expect([modeOf(dataDir), modeOf(join(dataDir, 'helix.db'))]).toEqual(['700', '600'])
  const second = await startProgram({ dataDir, env })
  expect((await modelsWith(second.url)).status).toBe(200)
  expect(await second.stop()).toBe(0)
  const again = inScratch('again.db')
  expect(await runProgram(['backup', again, '--data-dir', dataDir])).toMatchObject({ code: 0, stderr: '' })
  expect((await runProgram(['restore', again, '--data-dir', inScratch('twice')])).code).toBe(0)
})

const places = {
  'without a server': async () => {
    const dataDir = inScratch('unused')
    if (!existsSync(dataDir)) await runCommand(['restore', backup, '--data-dir', dataDir])
    return dataDir
  },
  'through the running server': async () => program.dataDir,
}
describe.each(Object.entries(places))('%s', (_, place) => {
  test.each([
    ['a file that exists', () => backup, 'it exists already'],
    ['a directory that does not exist', () => inScratch('nowhere/x.db'), 'its directory does not exist'],
  ])('%s is not overwritten', async (_, target, reason) => {
    const before = readFileSync(backup)
    const { code, stdout, stderr } = await runCommand(['backup', target(), '--data-dir', await place()])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^helix: [^\n]+\n$/)
    expect(stderr).toContain(`Cannot write ${target()}: ${reason}.`)
    expect(readFileSync(backup).equals(before)).toBe(true)
  })
})

test('without a database nothing is backed up, and nothing is created', async () => {
  const dataDir = inScratch('absent')
  const { code, stderr } = await runCommand(['backup', inScratch('none.db'), '--data-dir', dataDir])
  expect(code).toBe(1)
  expect(stderr).toContain(`No database found in ${dataDir}`)
  expect([existsSync(dataDir), existsSync(inScratch('none.db'))]).toEqual([false, false])
})

test('a data directory that is not empty is left as it is', async () => {
  const dataDir = inScratch('full')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'note.txt'), 'mine')
  const { code, stdout, stderr } = await runCommand(['restore', backup, '--data-dir', dataDir])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`The data directory ${dataDir} is not empty (it contains note.txt)`)
  expect(readdirSync(dataDir)).toEqual(['note.txt'])
  const running = await runCommand(['restore', backup, '--data-dir', program.dataDir])
  expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
})

const wrongFiles: Record<string, (file: string) => string> = {
  'a file that is not there': () => 'File not found',
  'a file that is no database': (file) => {
    writeFileSync(file, 'a shopping list '.repeat(1_000))
    return 'file is not a database'
  },
  'an empty file': (file) => {
    writeFileSync(file, '')
    return 'it is not a Helix database'
  },
  'a database of somebody else': (file) => {
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE fruit (name TEXT)')
    db.close()
    return 'it is not a Helix database'
  },
  'a backup that was cut short': (file) => {
    writeFileSync(file, readFileSync(backup).subarray(0, -10_000))
    return ''
  },
  'a backup of a newer version': (file) => {
    cpSync(backup, file)
    const db = new DatabaseSync(file)
    db.exec("INSERT INTO schema_migrations VALUES (9999, 'later', 0)")
    db.close()
    return 'it is at version 9999'
  },
}
test.each(Object.entries(wrongFiles))('%s is not restored, and leaves no trace', async (name, make) => {
  const file = inScratch(`${name}.db`)
  const reason = make(file)
  const dataDir = inScratch(`for ${name}`)
  const { code, stdout, stderr } = await runCommand(['restore', file, '--data-dir', dataDir])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]+\n$/)
  expect(stderr).toContain(file)
  expect(stderr).toContain(reason)
  expect(readdirSync(scratch).includes(`for ${name}`)).toBe(false)
})
