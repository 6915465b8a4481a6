import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { environment } from '../../src/config/load-config.ts'
import { installedGpuPackages } from '../../src/engine/embedded/llama/llama-api.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

/** Mesa's software driver (Debian: mesa-vulkan-drivers), and the package for Vulkan in NODE_PATH or node_modules. */
const hasDriver = ['x86_64', 'aarch64'].some((arch) => existsSync(`/usr/share/vulkan/icd.d/lvp_icd.${arch}.json`))
const hasPackage = installedGpuPackages({ gpu: true }).some((name) => name.endsWith('-vulkan'))

test.skipIf(!hasDriver || !hasPackage)(
  "the doctor names Mesa's software driver, its memory and the library",
  async () => {
    const { NODE_PATH = '' } = environment()
    const env = { NODE_PATH, HELIX_ENGINE_GPU: '1', GGML_VK_VISIBLE_DEVICES: '0' }
    const model = writeTinyModel(scratchPath(), 'tiny-chat')
    const args = ['doctor', '--json', '--port', '0', '--data-dir', scratchPath(), '--model', model]
    const { stdout } = await runProgram(args, { env })
    const { checks }: { checks: { check: string; ok: boolean; detail: string }[] } = JSON.parse(stdout)
    const found = checks.find(({ check }) => check === 'gpu')
    expect(found?.detail).toMatch(
      /^llvmpipe .* with \d+\.\d GB \(libggml-vulkan\.so of @node-llama-cpp\/linux-\w+-vulkan\)$/,
    )
    expect(found?.ok).toBe(true)
  },
)
