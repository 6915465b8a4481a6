import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { environment } from '../../src/config/load-config.ts'
import { installedGpuPackages } from '../../src/engine/embedded/llama/llama-api.ts'
import { postChat } from '../harness/post-chat.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { startProgram } from '../harness/start-program.ts'

/**
 * Mesa's software driver (Debian: mesa-vulkan-drivers), and the package for Vulkan in NODE_PATH or node_modules. `.ci/test-vulkan`
 * fetches both, and then they are required.
 */
const { NODE_PATH = '', VK_DRIVER_FILES, LD_LIBRARY_PATH = '', VULKAN_TESTS } = environment()
const isRequired = VULKAN_TESTS === 'required'
const driverFiles = VK_DRIVER_FILES?.split(':') ?? [
  '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json',
  '/usr/share/vulkan/icd.d/lvp_icd.aarch64.json',
]
const hasDriver = driverFiles.some((path) => existsSync(path))
const hasPackage = installedGpuPackages({ gpu: true }).some((name) => name.endsWith('-vulkan'))

const model = writeTinyModel(scratchPath(), 'tiny-chat')
/** ggml uses no device of the kind CPU unless it is chosen by its number. */
const onVulkan = {
  ...{ NODE_PATH, LD_LIBRARY_PATH, HELIX_ENGINE_GPU: 'required', GGML_VK_VISIBLE_DEVICES: '0' },
  ...(VK_DRIVER_FILES === undefined ? {} : { VK_DRIVER_FILES }),
}
const named = /^llvmpipe .* with \d+\.\d GB \(libggml-vulkan\.so of @node-llama-cpp\/linux-\w+-vulkan\)$/

test.skipIf(!isRequired && !(hasDriver && hasPackage))(
  "the doctor names Mesa's software driver, its memory and the library",
  async () => {
    const args = ['doctor', '--json', '--port', '0', '--data-dir', scratchPath(), '--model', model]
    const { stdout } = await runProgram(args, { env: onVulkan })
    const { checks }: { checks: { check: string; ok: boolean; detail: string }[] } = JSON.parse(stdout)
    expect(checks.find(({ check }) => check === 'gpu')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(named),
    })
  },
)

const answerWith = async (env: Record<string, string>) => {
  const program = await startProgram({ args: ['--model', model], env })
  const { gpu } = await program.logged({ event: 'engine_ready' })
  const service = { url: program.url, key: await program.createKey() }
  const fields = { model: 'tiny-chat', temperature: 0, max_tokens: 8, ignore_eos: true, logprobs: true }
  const response = await postChat(service, 'Who lives by the river?', fields)
  const { choices } = (await response.json()) as {
    choices: { logprobs: { content: { token: string; logprob: number }[] } }[]
  }
  expect(await program.stop()).toBe(0)
  return { gpu, tokens: choices[0]?.logprobs.content ?? [] }
}

// Mesa compiles the shaders for the first token, which takes half a minute of CPU time.
test.runIf(isRequired)('an answer on it is that of the CPU', { timeout: 600_000 }, async () => {
  const plain = await answerWith({})
  const { gpu, tokens } = await answerWith(onVulkan)
  expect(plain.gpu).toBeNull()
  expect(gpu).toMatch(named)
  expect(tokens).toHaveLength(8)
  expect(tokens.map(({ token }) => token)).toEqual(plain.tokens.map(({ token }) => token))
  for (const [index, { logprob }] of tokens.entries())
    expect(logprob).toBeCloseTo(plain.tokens[index]?.logprob ?? Number.NaN, 1)
})
