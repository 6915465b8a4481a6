import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { installGpuPackage } from '../harness/gpu-package.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const tinyPath = writeTinyModel(scratchPath(), 'tiny-chat')

/** An `npm` that runs this script, and a Vulkan driver, as the loader would be told of one. */
const machine = (script: string): Record<string, string> => {
  const folder = scratchPath()
  const npm = join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\n${script}\n`)
  chmodSync(npm, 0o755)
  return {
    PATH: [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    VK_DRIVER_FILES: join(folder, 'driver.json'),
  }
}
const install = (dataDir: string, kind: string, env: Record<string, string>) =>
  runProgram(['gpu', 'install', kind, '--data-dir', dataDir, '--model', tinyPath], { env })

describe.skipIf(process.platform !== 'linux')('helix gpu install', () => {
  test('installs the package of the same version in the data directory, tries it, and says why it cannot be used', async () => {
    const dataDir = scratchPath()
    const { NODE_PATH = '' } = installGpuPackage('deviceless', 'vulkan')
    // $3 is the folder after `install --prefix`, and the package comes last.
    const env = machine(
      `mkdir -p "$3/node_modules" && cp -r ${NODE_PATH}/. "$3/node_modules/" && echo "$@" > "$3/arguments"`,
    )
    const { code, stderr } = await install(dataDir, 'vulkan', env)
    expect(stderr).toMatch(/@node-llama-cpp\/linux-\w+-vulkan@[\d.]+ is installed, but cannot be used: /)
    expect(stderr).toContain('-vulkan finds no GPU: there is no device that it can use')
    expect(code).toBe(1)
    expect(readFileSync(join(dataDir, 'engine-packages/arguments'), 'utf8')).toMatch(
      /--no-save .*--ignore-scripts .*@node-llama-cpp\/linux-\w+-vulkan@\d+\.\d+\.\d+\n$/,
    )
    expect(existsSync(join(dataDir, 'engine-packages.new'))).toBe(false)
  })

  test('keeps what is there if npm fails, and says why', async () => {
    const dataDir = scratchPath()
    const earlier = join(dataDir, 'engine-packages/earlier')
    mkdirSync(earlier, { recursive: true })
    const { code, stderr } = await install(
      dataDir,
      'vulkan',
      machine('echo "npm error code E404\nnpm error 404 Not Found" >&2; exit 1'),
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/npm could not install @node-llama-cpp\S+: npm error 404 Not Found/)
    expect(existsSync(earlier)).toBe(true)
    expect(existsSync(join(dataDir, 'engine-packages.new'))).toBe(false)
  })

  test('installs nothing where there is no driver, and refuses other words', async () => {
    const env = { ...machine('exit 9'), VK_DRIVER_FILES: '' }
    expect(await install(scratchPath(), 'vulkan', env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was installed: there is no Vulkan driver'),
    })
    expect(await install(scratchPath(), 'metal', env)).toMatchObject({ code: 2 })
  })
})
