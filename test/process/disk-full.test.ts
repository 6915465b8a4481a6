import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { canMount, withinSmallFileSystem } from '../harness/small-file-system.ts'
import { startProgram } from '../harness/start-program.ts'

/** As much as goes in, to the last byte. */
const fill = (file: string): void => {
  for (let bytes = 4_000_000; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      writeFileSync(file, 'x'.repeat(bytes), { flag: 'a' })
    } catch {
      // Less may still fit.
    }
  }
}

test.skipIf(!canMount)(
  'with a full disk requests are refused before work begins, and accepted once there is space',
  async () => {
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const dataDir = scratchPath()
    const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
    const program = await startProgram({ dataDir, env, within: withinSmallFileSystem(dataDir) })
    const inside = join('/proc', String(program.pid), 'root', dataDir)
    const created = await runProgram(['keys', 'create', '--name', 'x', '--data-dir', inside])
    const ask = () =>
      fetch(`${program.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created.stdout.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }] }),
      })
    expect((await ask()).status).toBe(200)
    expect(upstream.asked).toHaveLength(1)

    fill(join(inside, 'ballast'))
    // The log of writes has pages of its own that it may still use.
    let refused = await ask()
    for (let n = 0; n < 200 && refused.status === 200; n += 1) refused = await ask()
    const askedBefore = upstream.asked.length
    expect(refused.status).toBe(503)
    expect(await (await ask()).json()).toMatchObject({ error: { code: 'ledger_unavailable' } })
    expect(upstream.asked).toHaveLength(askedBefore)
    expect((await fetch(`${program.url}/readyz`)).status).toBe(503)

    rmSync(join(inside, 'ballast'))
    expect((await ask()).status).toBe(200)
    expect(await program.stop()).toBe(0)
  },
)

test.skipIf(!canMount)('a stored answer that the disk has no space for is refused before work begins', async () => {
  const upstream = await startUpstream((response) => say(response, 'Hello'))
  const dataDir = scratchPath()
  const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ dataDir, env, within: withinSmallFileSystem(dataDir, 16) })
  const inside = join('/proc', String(program.pid), 'root', dataDir)
  const created = await runProgram(['keys', 'create', '--name', 'x', '--data-dir', inside])
  const post = (path: string, body: object) =>
    fetch(`${program.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${created.stdout.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'theirs', ...body }),
    })
  const respond = (body = {}) => post('/responses', { input: 'Hi', stream: true, max_output_tokens: 2_000, ...body })
  const complete = (body = {}) =>
    post('/chat/completions', { messages: [{ role: 'user', content: 'Hi' }], store: true, max_tokens: 2_000, ...body })
  expect(await (await respond()).text()).toContain('response.completed')
  expect((await complete()).status).toBe(200)
  const { bavail, bsize } = statfsSync(inside)
  writeFileSync(join(inside, 'ballast'), 'x'.repeat(bavail * bsize - 2_200_000))
  const askedBefore = upstream.asked.length
  for (const refused of [await respond(), await complete()]) {
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await refused.json()).toMatchObject({ error: { code: 'storage_full' } })
  }
  expect(upstream.asked).toHaveLength(askedBefore)
  // A short one has enough, and one that is not stored needs none.
  expect(await (await respond({ max_output_tokens: 100 })).text()).toContain('response.completed')
  expect(await (await respond({ store: false })).text()).toContain('response.completed')
  rmSync(join(inside, 'ballast'))
  expect((await complete()).status).toBe(200)
  expect(await program.stop()).toBe(0)
})

test.skipIf(!canMount)('stored answers that run at the same time are not promised the same space', async () => {
  const all = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response) => {
    await all.promise
    say(response, 'Hello')
  })
  const dataDir = scratchPath()
  const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_ENGINE_SLOTS: '20' }
  const program = await startProgram({ dataDir, env, within: withinSmallFileSystem(dataDir, 16) })
  const inside = join('/proc', String(program.pid), 'root', dataDir)
  const created = await runProgram(['keys', 'create', '--name', 'x', '--data-dir', inside])
  const respond = () =>
    fetch(`${program.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${created.stdout.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'theirs', input: 'Hi', stream: true, max_output_tokens: 2_000 }),
    })
  const { bavail, bsize } = statfsSync(inside)
  // Each needs 0.27 MB beside 2.1 MB that stay free: four of them fit.
  writeFileSync(join(inside, 'ballast'), 'x'.repeat(bavail * bsize - 3_300_000))
  const asked = Array.from({ length: 12 }, respond)
  const isRefused = (response: Response): boolean => response.status === 503
  let refused = 0
  for (const one of asked) void one.then((response) => (refused += Number(isRefused(response))))
  while (refused + upstream.asked.length < asked.length) await fetch(`${program.url}/readyz`)
  all.resolve()
  const answers = await Promise.all(asked)
  const given = answers.filter((response) => !isRefused(response))
  expect([given.length, answers.length - given.length]).toEqual([4, 8])
  for (const response of given) expect(await response.text()).toContain('response.completed')
  for (const response of answers.filter(isRefused))
    expect(await response.json()).toMatchObject({ error: { code: 'storage_full' } })
  expect(await program.stop()).toBe(0)
})
