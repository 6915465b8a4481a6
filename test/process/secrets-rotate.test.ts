import { existsSync, readFileSync, watch } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createSeal } from '../../src/accounts/secrets/seal.ts'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { runProgram } from '../harness/run-program.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const upstreamKey = 'sk-canary-4f1c9d'
const count = 60

const control = (program: Program, path: string, body?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: controlSocketPath(program.dataDir), method: 'POST', path })
    outgoing.on('response', (response) => resolve(json(response)))
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** A server with many upstreams, of which the first answers only with its key. */
const openScene = async () => {
  const upstream = await startUpstream((response, { headers }) => {
    if (headers.authorization === `Bearer ${upstreamKey}`) return say(response, 'Hello')
    return response.writeHead(401).end()
  })
  const own = await startUpstream((response) => say(response, 'own'))
  const env = { HELIX_UPSTREAM_URL: own.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ env })
  const key = await program.createKey()
  for (let number = 0; number < count; number += 1) {
    const models = [{ name: `m${number}` }]
    await control(program, '/control/upstreams', {
      name: `u${number}`,
      url: upstream.baseUrl,
      key: upstreamKey,
      models,
    })
  }
  return { program, env, key }
}

const ask = async (program: Program, key: string, model = 'm0'): Promise<number> => {
  const response = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

const readKey = (dataDir: string): string => readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim()
const readSealed = async (dataDir: string): Promise<{ name: string; sealedKey: string }[]> => {
  await using store = openStoreReader({ dataDir, storeUrl: null })
  return (await store.upstreams.list()).map(({ name, sealedKey }) => ({ name, sealedKey: sealedKey ?? '' }))
}
const opened = async (dataDir: string, key: string): Promise<number> => {
  const seal = createSeal(Buffer.from(key, 'base64'))
  const sealed = await readSealed(dataDir)
  return sealed.filter(({ name, sealedKey }) => seal.open(sealedKey, `upstream ${name}`) !== null).length
}

const rotate = (program: Pick<Program, 'dataDir'>) => runProgram(['secrets', 'rotate', '--data-dir', program.dataDir])

test('a running server encrypts everything with a new key: no request fails, and the old key reads nothing', async () => {
  const { program, env, key } = await openScene()
  const { dataDir } = program
  const [before, old] = [await readSealed(dataDir), readKey(dataDir)]
  let isRotating = true
  const load = Array.from({ length: 4 }, async () => {
    const statuses: number[] = []
    while (isRotating) statuses.push(await ask(program, key))
    return statuses
  })
  const rotated = await rotate(program)
  isRotating = false
  const statuses = (await Promise.all(load)).flat()
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  expect(rotated.stdout).toContain(`Encrypted ${count} secrets with the new key.\nThe old key is no longer needed.`)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await ask(program, key, 'm7')).toBe(200)
  expect(readKey(dataDir)).not.toBe(old)
  expect(existsSync(join(dataDir, 'secrets.next.key'))).toBe(false)
  expect(await opened(dataDir, old)).toBe(0)
  expect(await opened(dataDir, readKey(dataDir))).toBe(count)
  expect(await program.stop()).toBe(0)
  // The old encrypted texts are gone too, not only replaced.
  expect(before.filter(({ sealedKey }) => dataFilesContain(dataDir, sealedKey))).toEqual([])
  const again = await startProgram({ dataDir, env })
  expect(await ask(again, key, 'm8')).toBe(200)
  expect(await again.stop()).toBe(0)
})

test('a server that is killed during a rotation accepts both keys afterwards, and the command continues', async () => {
  const { program, env, key } = await openScene()
  const { dataDir } = program
  const old = readKey(dataDir)
  const watching = watch(dataDir, (_, name) => {
    if (name === 'secrets.next.key') program.child.kill('SIGKILL')
  })
  const interrupted = await rotate(program)
  watching.close()
  expect(interrupted.code).toBe(1)
  expect(readKey(dataDir)).toBe(old)
  const next = readFileSync(join(dataDir, 'secrets.next.key'), 'utf8').trim()
  expect((await opened(dataDir, old)) + (await opened(dataDir, next))).toBe(count)
  const second = await startProgram({ dataDir, env })
  for (const model of ['m0', 'm30', 'm59']) expect(await ask(second, key, model)).toBe(200)
  expect(await second.stop()).toBe(0)
  // Without a server it is done by the command itself.
  expect((await rotate(program)).code).toBe(0)
  expect(readKey(dataDir)).toBe(next)
  expect([await opened(dataDir, old), await opened(dataDir, next)]).toEqual([0, count])
  const third = await startProgram({ dataDir, env })
  for (const model of ['m0', 'm30', 'm59']) expect(await ask(third, key, model)).toBe(200)
})

test('a key in the settings is not replaced by one that nobody knows', async () => {
  const secret = Buffer.alloc(32, 1).toString('base64')
  const next = Buffer.alloc(32, 2).toString('base64')
  const own = await startUpstream((response) => say(response, 'own'))
  const env = { HELIX_UPSTREAM_URL: own.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_SECRET_KEY: secret }
  const program = await startProgram({ env })
  const { dataDir } = program
  await control(program, '/control/upstreams', {
    name: 'u',
    url: own.baseUrl,
    key: upstreamKey,
    models: [{ name: 'm' }],
  })
  const args = ['secrets', 'rotate', '--data-dir', dataDir]
  const refused = await runProgram(args, { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('set HELIX_NEXT_SECRET_KEY') })
  expect(await program.stop()).toBe(0)
  const both = { ...env, HELIX_NEXT_SECRET_KEY: next }
  const second = await startProgram({ dataDir, env: both })
  const rotated = await runProgram(args, { env: both })
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('set HELIX_SECRET_KEY to the new one') })
  expect(await second.stop()).toBe(0)
  expect([await opened(dataDir, secret), await opened(dataDir, next)]).toEqual([0, 1])
})
