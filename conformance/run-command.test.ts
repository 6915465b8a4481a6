import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const { signal } = new AbortController()
const run = (script: string, limits = {}) =>
  runCommand({
    ...{ program: process.execPath, args: ['--eval', script], folder: tmpdir(), environment: {} },
    ...{ shown: false, signal, ...limits },
  })

test('a command that takes longer than its limit is ended, and its output says so', async () => {
  const outcome = await run('setInterval(() => {}, 1000)', { limitMs: 1 })
  expect(outcome).toMatchObject({ code: null, output: expect.stringContaining('ended after 0.001 s') })
})

test('other commands run to their end', async () => {
  expect(await run('console.log(1)')).toEqual({ missing: false, code: 0, output: '1\n' })
})
