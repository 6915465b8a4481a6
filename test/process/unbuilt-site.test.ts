import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyClone } from '../harness/copy-clone.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

/** Leaves what a build has to leave, an index and a file for each document, once somebody writes to the gate. */
const smallBuild = `
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { documentFile } from '../../src/site-server/built-site.ts'
import { languageCodes } from '../../src/languages/languages.ts'
import { documents } from '../../src/site-server/pages.ts'
process.on('disconnect', () => process.exit())
await readFile('gate')
const folder = process.argv[2]
for (const name of documents) for (const language of languageCodes) {
  const target = join(folder, documentFile(name, language))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, name)
}
await writeFile(join(folder, 'index.json'), '{"files":[]}')
process.disconnect()
`

test('the link that makes somebody the owner is printed again once the site is built, as the last line', async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  const clone = copyClone()
  writeFileSync(join(clone, 'site/build/main.ts'), smallBuild)
  execFileSync('mkfifo', [join(clone, 'gate')])
  const env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
  const program = await startProgram({ helix: join(clone, 'helix'), env })
  const isLink = (line: string): boolean => line.startsWith('Claim this server: ')
  const first = await program.stdout.find(isLink)
  await writeFile(join(clone, 'gate'), '')
  const again = await program.stdout.find(isLink, 2)
  expect(again).toBe(first)
  expect(program.stdout.lines.at(-1)).toBe(again)
  expect(await program.logged({ event: 'site_built' })).toMatchObject({ heldRequests: 0 })
})
