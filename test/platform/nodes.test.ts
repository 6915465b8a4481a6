import { expect, test } from 'vitest'
import { fullVersion } from '../../src/base/version.ts'
import { claimServer } from '../harness/browser-session.ts'
import { runProgram } from '../harness/run-program.ts'
import { severalModels } from '../harness/several-models.ts'
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
        version: fullVersion,
        isOwn: true,
        seenMsAgo: 0,
        startedAt: expect.any(Number),
      },
      address: expect.stringMatching(/^http:\/\/.*:\d+$/),
      status: {
        ...{ running: 0, waiting: 0, models: [{ id: modelName, state: 'ready' }] },
        ...{
          memoryBytes: expect.any(Number),
          engineMemoryBytes: null,
          gpus: [],
          gpuFault: null,
          busy: expect.any(Number),
        },
      },
    },
  ])
  const shown = await runProgram(['nodes', '--data-dir', helix.dataDir])
  expect(shown.stdout).toMatch(/^NAME {2}KIND/)
  expect(shown.stdout).toMatch(
    new RegExp(`\nonly {2}server {2}http://.* {2}${RegExp.escape(fullVersion)} .* ${modelName}\n$`),
  )
  const { stdout } = await runProgram(['nodes', '--json', '--data-dir', helix.dataDir])
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'main', name: 'only', running: 0, models: [modelName] }])
})

test('the memory of all engine processes is shown beside that of the server, with the GPU of one, and that another should use one and does not', async () => {
  const gpu = 'NVIDIA H200 with 140 GB (libggml-cuda.so)'
  const model = (id: string, memoryBytes: number | null) => {
    const use = id === 'a' ? { gpu, gpuFault: null } : { gpu: null, gpuFault: 'no device' }
    const process = memoryBytes === null ? null : { memoryBytes, cacheUse: null, ...use }
    const status = () => ({ state: 'ready', reason: null, memory: null, process, diskBytes: null }) as const
    return { id, pool: { status } }
  }
  const models = [model('a', 600_000_000), model('b', 34_000_000), model('elsewhere', null)]
  const helix = await startHelix({ openModels: severalModels(models) })
  const owner = await claimServer(helix)
  const { data } = (await (await owner.get('/admin/nodes')).json()) as { data: unknown[] }
  expect(data).toMatchObject([{ status: { engineMemoryBytes: 634_000_000, gpus: [gpu], gpuFault: 'no device' } }])
  const listed = await runProgram(['nodes', '--json', '--data-dir', helix.dataDir])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ gpus: [gpu], gpu_fault: 'no device' }])
  const { stdout } = await runProgram(['nodes', '--data-dir', helix.dataDir])
  expect(stdout).toMatch(/ MEMORY {2}ENGINES {2}MODELS\n.* MB {3}634 MB {2}a, b, elsewhere\n$/)
})
