import { expect, test } from 'vitest'
import { claimServer, tokenOf } from '../harness/browser-session.ts'
import { runProgram } from '../harness/run-program.ts'
import { startProgram } from '../harness/start-program.ts'

const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
const claimLine = (line: string): boolean => line.startsWith('Claim this server: ')

test('a new server prints the link to claim it, not again once it is claimed; a forgotten password is reset by one command', async () => {
  const first = await startProgram({ env })
  const line = await first.stdout.find(claimLine)
  const claimUrl = line.replace('Claim this server: ', '')
  expect(claimUrl.startsWith(`${first.url}/claim#`)).toBe(true)
  const owner = await claimServer({ server: { url: first.url, claimUrl } })
  expect((await owner.load()).account).toMatchObject({ isOwner: true })
  // The command line still sees and ends the keys of everybody.
  const { stdout } = await runProgram(['keys', 'list', '--json', '--data-dir', first.dataDir])
  expect(JSON.parse(stdout)).toMatchObject([{ id: owner.firstKey.id }])
  const made = await runProgram(['accounts', 'link', '--email', 'owner@example.com', '--data-dir', first.dataDir])
  expect(made.stdout).toMatch(new RegExp(`^${first.url}/reset#[\\w-]{43}\n$`))
  const reset = { token: tokenOf(made.stdout.trim()), password: 'walnut orchard radio' }
  expect((await owner.post('/password-reset', reset)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  const unserved = await runProgram(['accounts', 'link', '--email', 'owner@example.com', '--data-dir', first.dataDir])
  expect(unserved).toMatchObject({ code: 1, stderr: expect.stringMatching(/^helix: No server is running[^\n]*\n$/) })
  expect(first.stderr.lines.join('\n')).not.toContain(claimUrl.split('#')[1])

  const second = await startProgram({ env, dataDir: first.dataDir })
  expect(await second.stop()).toBe(0)
  expect(second.stdout.lines.filter(claimLine)).toEqual([])
})
