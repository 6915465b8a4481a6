import { expect, test } from 'vitest'
import { version } from '../../src/base/version.ts'
import { claimServer } from '../harness/browser-session.ts'
import { runProgram } from '../harness/run-program.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('a single server lists itself with its version, load and models, on the page and on the command line', async () => {
  const helix = await startHelix({ config: { nodeName: 'only' } })
  const owner = await claimServer(helix)
  const { data } = (await (await owner.get('/admin/nodes')).json()) as { data: unknown[] }
  expect(data).toEqual([
    {
      ...{
        id: 'main',
        name: 'only',
        kind: 'server',
        version,
        isOwn: true,
        seenMsAgo: 0,
        startedAt: expect.any(Number),
      },
      address: expect.stringMatching(/^http:\/\/.*:\d+$/),
      status: {
        ...{ running: 0, waiting: 0, models: [{ id: modelName, state: 'ready' }] },
        ...{ memoryBytes: expect.any(Number), busy: expect.any(Number) },
      },
    },
  ])
  const shown = await runProgram(['nodes', '--data-dir', helix.dataDir])
  expect(shown.stdout).toMatch(/^NAME {2}KIND/)
  expect(shown.stdout).toMatch(new RegExp(`\nonly {2}server {2}http://.* {2}${version} .* ${modelName}\n$`))
  const { stdout } = await runProgram(['nodes', '--json', '--data-dir', helix.dataDir])
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'main', name: 'only', running: 0, models: [modelName] }])
})
