import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { runCommand } from '../harness/run-command.ts'
import { startHelix } from '../harness/start-helix.ts'

test('a LiteLLM file becomes upstreams of the running server, with a report of the rest', async () => {
  const helix = await startHelix()
  const file = join(helix.dataDir, 'config.yaml')
  await writeFile(
    file,
    `model_list:
  - model_name: llama
    litellm_params: { model: openai/llama-3, api_base: "http://127.0.0.1:9/v1", api_key: os.environ/LLAMA_KEY, rpm: 3 }
`,
  )
  const tried = await runCommand(['upstreams', 'import', 'litellm', file, '--dry-run', '--data-dir', helix.dataDir])
  // What would be refused is said before.
  expect(tried).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^compatible \(.*\): llama .*LLAMA_KEY is not set/),
  })
  await using before = openStoreReader(helix)
  expect(await before.upstreams.list()).toEqual([])
  const args = ['upstreams', 'import', 'litellm', file, '--json', '--data-dir', helix.dataDir]
  const unset = await runCommand(args)
  expect(unset).toMatchObject({ code: 1, stdout: expect.stringContaining('LLAMA_KEY is not set') })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('LLAMA_KEY', 'sk-1')
  const imported = await runCommand(args)
  expect(JSON.parse(imported.stdout)).toMatchObject({
    upstreams: [{ name: 'compatible', models: ['llama'] }],
    omitted: [{ path: 'model_list[0].litellm_params.rpm' }],
  })
  await using after = openStoreReader(helix)
  expect(await after.upstreams.list()).toMatchObject([{ name: 'compatible' }])
})

test('the command names what it needs', async () => {
  expect(await runCommand(['upstreams', 'import', 'other', 'x.yaml'])).toMatchObject({ code: 2 })
})
