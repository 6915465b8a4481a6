import { globSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { hasCurl, helixPath, repository, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

/** The blocks that documents mark with `sh tested`, each with its page. */
const blocks = globSync('docs/operate/*.md', { cwd: repository }).flatMap((page) => {
  const text = readFileSync(join(repository, page), 'utf8')
  return [...text.matchAll(/^```sh tested\n(.*?)^```/gms)].map(([, commands = '']) => ({ page, commands }))
})

test.skipIf(!hasCurl)(
  'commands of docs/operate work beside a running server',
  async () => {
    expect(blocks.length).toBeGreaterThan(3)
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const port = String(await freePort())
    const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
    const { dataDir } = await startProgram({ args: ['--port', port], env })
    const settings = { ...env, HELIX_DATA_DIR: dataDir, HELIX_PORT: port }
    await runProgram(['keys', 'create', '--name', 'first'], { env: settings })
    const cwd = scratchPath()
    symlinkSync(helixPath, join(cwd, 'helix'))
    for (const { page, commands } of blocks) {
      const ended = await runProgram(['-ec', commands], { command: '/bin/sh', cwd, env: settings })
      expect({ page, commands, ...ended }).toMatchObject({ code: 0 })
    }
  },
  300_000,
)
