import { describe, expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { claimServer } from '../harness/browser-session.ts'
import { gpuPackage, installGpuPackage } from '../harness/gpu-package.ts'
import { postChat } from '../harness/post-chat.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { startProgram } from '../harness/start-program.ts'

const tinyPath = writeTinyModel(scratchPath(), 'tiny-chat')
type Finding = { check: string; ok: boolean; detail: string }

const examine = async (env: Record<string, string>): Promise<Finding | undefined> => {
  const args = ['doctor', '--json', '--port', '0', '--data-dir', scratchPath(), '--model', tinyPath]
  const { stdout } = await runProgram(args, { env })
  const { checks }: { checks: Finding[] } = JSON.parse(stdout)
  return checks.find(({ check }) => check === 'gpu')
}

describe.skipIf(process.platform !== 'linux')('an engine that should use a GPU and cannot', () => {
  const missing = `${gpuPackage} does not contain libggml-cuda.so: install the package again.`
  const broken = `libggml-cuda.so of ${gpuPackage} cannot be loaded: `
  const deviceless = `${gpuPackage} finds no GPU: there is no device that it can use`

  test('says why in the log and in Admin, and answers on the CPU', async () => {
    const program = await startProgram({ args: ['--model', tinyPath], env: installGpuPackage('broken') })
    const { reason } = await program.logged({ event: 'engine_gpu_unused', level: 'warn' })
    expect(reason).toContain(broken)
    const claim = 'Claim this server: '
    const claimUrl = (await program.stdout.find((line) => line.startsWith(claim))).slice(claim.length)
    const owner = await claimServer({ server: { url: program.url, claimUrl } })
    const { data } = (await (await owner.get('/admin/models')).json()) as { data: unknown[] }
    expect(data).toMatchObject([{ state: 'ready', gpuFault: reason }])
    const service = { url: program.url, key: await program.createKey() }
    const answer = await (await postChat(service, 'Hi', { model: 'tiny-chat', max_tokens: 4, ignore_eos: true })).json()
    expect(answer).toMatchObject({ usage: { completion_tokens: 4 } })
    // A process with a model and llama.cpp takes more than Node alone.
    const { stdout } = await runProgram(['nodes', '--json', '--data-dir', program.dataDir])
    const [node]: { engine_memory_bytes: number; gpu_fault: string }[] = JSON.parse(stdout)
    expect(node?.engine_memory_bytes).toBeGreaterThan(40_000_000)
    expect(node?.gpu_fault).toBe(reason)
  })

  test('is found by the doctor, with the package and the reason', async () => {
    expect(await examine(installGpuPackage('missing'))).toMatchObject({ ok: false, detail: missing })
    expect(await examine(installGpuPackage('broken'))).toMatchObject({
      ok: false,
      detail: expect.stringContaining(broken),
    })
    expect(await examine(installGpuPackage('deviceless'))).toMatchObject({ ok: false, detail: deviceless })
    expect(await examine({ HELIX_ENGINE_GPU: '1' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('no package for a GPU is installed'),
    })
  })

  test('does not start if a GPU is required, and says why', async () => {
    const env = { ...installGpuPackage('deviceless'), HELIX_ENGINE_GPU: 'required' }
    const args = ['serve', '--port', '0', '--data-dir', scratchPath(), '--model', tinyPath]
    const { code, stderr } = await runProgram(args, { env })
    expect(code).toBe(1)
    expect(stderr).toContain(`engineGpu is set to required, but no GPU can be used. ${deviceless}`)
    expect(await examine(env)).toMatchObject({ ok: false, detail: expect.stringContaining(deviceless) })
  })

  test('is not asked to: the doctor says what is installed', async () => {
    const { NODE_PATH = '' } = installGpuPackage('broken')
    expect(await examine({ NODE_PATH })).toMatchObject({
      check: 'gpu',
      ok: true,
      detail: `not used: ${gpuPackage} is installed, but HELIX_ENGINE_GPU is not set`,
    })
    expect(await examine({})).toMatchObject({ ok: true, detail: 'not used' })
  })
})
