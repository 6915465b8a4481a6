import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { endsWithFile } from '../harness/ends-with-file.ts'
import { watchLines } from '../harness/line-watch.ts'
import { createScratchDatabase } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { runCommand } from '../harness/run-command.ts'
import { bareEnvironment, helixPath, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'
import { fillStore } from '../migrate-store/full-store.ts'

const postgres = await startedPostgres()

const startMove = (args: readonly string[]) => {
  const child = spawn(helixPath, ['migrate-store', ...args], {
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endsWithFile(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  return { child, stdout: watchLines(child.stdout), stderr: watchLines(child.stderr), exited }
}

const settledRequests = async (url: string): Promise<string[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      "SELECT request_id AS id FROM ledger_reservations JOIN ledger_settlements ON reservation = sequence WHERE outcome = 'completed'",
    )
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}

/** Asks without a pause until the server stops. Returns the ids of the requests that were answered whole. */
const askUntilStopped = async (url: string, key: string, onAnswered: () => void): Promise<string[]> => {
  const answered: string[] = []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }] })
  try {
    for (;;) {
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
      if (response.status !== 200) return answered
      await response.json()
      answered.push(response.headers.get('x-request-id') ?? '')
      onAnswered()
    }
  } catch {
    return answered
  }
}

test.skipIf(postgres === null)(
  'a server under load moves to PostgreSQL, through two kills, and loses nothing',
  async () => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, 'template0')
    const scratch = scratchPath()
    const dataDir = join(scratch, 'data')
    await fillStore(dataDir)
    const { baseUrl } = await startUpstream((response) => say(response, 'Hello', ' there'))
    const env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'theirs' }
    const limits = { HELIX_ORGANISATION_REQUESTS_PER_MINUTE: '0', HELIX_ORGANISATION_TOKENS_PER_MINUTE: '0' }
    const program = await startProgram({ dataDir, env: { ...env, ...limits } })
    const key = await program.createKey()
    const busy = Promise.withResolvers<void>()
    const clients = [0, 1, 2].map(() => askUntilStopped(program.url, key, busy.resolve))
    await busy.promise

    const move = ['--to', database.url, '--data-dir', dataDir]
    for (const line of ['Copying while the server runs.', 'Ready. Now stop the server']) {
      const killed = startMove(move)
      await killed.stderr.find((text) => text.startsWith(line))
      killed.child.kill('SIGKILL')
      await killed.exited
    }
    const moving = startMove(move)
    await moving.stderr.find((text) => text.startsWith('Ready.'))
    expect(await program.stop()).toBe(0)
    const answered = (await Promise.all(clients)).flat()
    expect(await moving.exited).toEqual([0, null])
    expect(moving.stdout.lines.join('\n')).toMatch(
      /^Moved [\d,]+ rows in \d+ tables\. Every row was compared.*\nStart the server with HELIX_STORE/,
    )
    expect(answered.length).toBeGreaterThan(3)
    expect(new Set(await settledRequests(database.url))).toEqual(
      new Set([...(await settledRequests(database.url)), ...answered]),
    )

    const old = await runCommand(['keys', 'list', '--data-dir', dataDir])
    expect(old).toMatchObject({ code: 1, stdout: '' })
    expect(old.stderr).toMatch(/^helix: .*helix\.db: its data was moved to .* run 'helix migrate-store --reopen'\n$/)
    const there = await startProgram({ dataDir, env: { ...env, HELIX_STORE: database.url } })
    const models = await fetch(`${there.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(models.status).toBe(200)
    const verified = await runCommand(['usage', '--verify', '--data-dir', dataDir], {
      HELIX_STORE: database.url,
    })
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(await there.stop()).toBe(0)

    const back = join(scratch, 'back')
    const returned = await runProgram(['migrate-store', '--to', `sqlite:${back}`, '--data-dir', dataDir], {
      env: { HELIX_STORE: database.url },
    })
    expect(returned).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Start the server with HELIX_DATA_DIR=${back}`),
    })
    expect(await runCommand(['usage', '--verify', '--data-dir', back])).toMatchObject({
      code: 0,
      stdout: verified.stdout,
    })
  },
)

test.each([
  ['nowhere', [], '--to URL'],
  ['to a file', ['--to', 'data.db'], 'postgres://USER@HOST/DATABASE or sqlite:PATH'],
  ['to PostgreSQL without a database', ['--to', 'postgres://user:secret@host'], 'postgres://USER@HOST/DATABASE'],
])('a move %s ends with code 2 and one line that says what is missing', async (_, args, named) => {
  const { code, stdout, stderr } = await runCommand(['migrate-store', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]+\n$/)
  expect(stderr).toContain(named)
  expect(stderr).not.toContain('secret')
})

test('a move of a directory without data, or to a server that does not answer, ends with code 1', async () => {
  const dataDir = join(scratchPath(), 'none')
  const to = ['--to', 'postgres://user:secret@127.0.0.1:1/helix']
  const none = await runCommand(['migrate-store', ...to, '--data-dir', dataDir])
  expect(none).toEqual({ code: 1, stdout: '', stderr: `helix: No database found in ${dataDir}; check --data-dir\n` })
  await runCommand(['keys', 'list', '--data-dir', dataDir])
  const refused = await runCommand(['migrate-store', ...to, '--data-dir', dataDir])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^helix: Cannot use 127\.0\.0\.1:1\/helix: connect ECONNREFUSED 127\.0\.0\.1:1\n$/)
})
