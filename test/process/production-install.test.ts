import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { commit, fullVersion, version } from '../../src/base/version.ts'
import { installBuilt } from '../harness/production-install.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

/** Root may write anywhere: its server runs as `nobody`. */
const nobody = 65534
const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'] : []

let helix: string
beforeAll(async () => {
  helix = await installBuilt()
})

const start = async (dataDir: string) => {
  const upstream = await startUpstream((response) => say(response, 'Hello'))
  return startProgram({
    helix,
    dataDir,
    cwd: dirname(helix),
    within: asNobody,
    env: {
      HELIX_UPSTREAM_URL: upstream.baseUrl,
      HELIX_UPSTREAM_MODEL: 'theirs',
      HELIX_SHUTDOWN_DELAY_MS: '0',
      // The tests' own would be writable.
      NODE_COMPILE_CACHE: '',
    },
  })
}

/** In a folder of its own that the server may write to. */
const createDataDirectory = (): string => {
  const place = join(dirname(helix), '..', `data-${readdirSync(join(dirname(helix), '..')).length}`)
  mkdirSync(place, { mode: 0o700 })
  if (isRoot) chownSync(place, nobody, nobody)
  return place
}

const installedFiles = (): string[] => readdirSync(dirname(helix), { recursive: true, encoding: 'utf8' }).sort()

test('a built tree serves the site and the API from a read-only folder, and writes only to its data directory', async () => {
  const before = installedFiles()
  const dataDir = createDataDirectory()
  const program = await start(dataDir)
  // The API is there before the pages are read.
  await expect.poll(async () => (await fetch(`${program.url}/`)).status).toBe(200)
  expect(await (await fetch(`${program.url}/`)).text()).toMatch(
    new RegExp(`<footer.*${RegExp.escape(fullVersion)}`, 's'),
  )
  expect(await (await fetch(`${program.url}/healthz`)).json()).toEqual({ status: 'ok', version, commit })
  expect(await program.logged({ event: 'listening' })).toMatchObject({ version: fullVersion })
  const answer = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await program.createKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
  expect(await program.stop()).toBe(0)
  expect(program.stderr.lines.filter((line) => line.includes('"event":"site_'))).toEqual([])
  expect(installedFiles()).toEqual(before)
  expect(readdirSync(join(dataDir, 'compiled'))).not.toEqual([])
})

test('its commands run from any folder without writing anything', async () => {
  const place = scratchPath()
  const before = installedFiles()
  const { code, stdout } = await runProgram(['--version'], {
    command: helix,
    cwd: place,
    env: { NODE_COMPILE_CACHE: '' },
  })
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${fullVersion}\n` })
  expect(readdirSync(place)).toEqual([])
  expect(installedFiles()).toEqual(before)
})
