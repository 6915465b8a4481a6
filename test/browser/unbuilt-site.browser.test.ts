import { join } from 'node:path'
import { expect } from 'vitest'
import { copyClone } from '../harness/copy-clone.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

test('from a clone without a built site, the link that was printed leads to the form at once', async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  const clone = copyClone()
  // Without a model of its own, the start costs little more than the build.
  const env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
  const program = await startProgram({ helix: join(clone, 'helix'), env })
  const line = await program.stdout.find((each) => each.startsWith('Claim this server: '))
  const link = line.split(' ').at(-1) ?? ''
  const { page } = await openVisitor(new URL(link).origin)
  // The page for half a link would say so.
  const form = page.getByRole('button', { name: 'Claim it and get a key' }).waitFor({ timeout: 100_000 })
  await page.goto(link, { timeout: 40_000 })
  await Promise.race([form, program.logged({ event: 'site_not_built' }).then(({ cause }) => expect(cause).toBeNull())])
  expect(await page.evaluate('location.hash')).toBe(new URL(link).hash)
  expect(program.stderr.lines.filter((each) => each.includes('"path":"/claim"'))).toEqual([])
  // The rest of the build is of no interest here, and ends with the server.
  expect(await program.stop()).toBe(0)
})
