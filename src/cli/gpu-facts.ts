import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environment } from '../config/load-config.ts'
import type { GpuFacts } from './gpu-obstacle.ts'

const run = promisify(execFile)
const smiLimitMs = 20_000
const vulkanFolders = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d']

export const readGpuFacts = async (): Promise<GpuFacts> => ({
  nvidiaDriver: parseDriverVersion(await readFile('/proc/driver/nvidia/version', 'utf8').catch(() => '')),
  capabilities: await readCapabilities(),
  vulkanDrivers: await readVulkanDrivers(),
})

/** Of a line such as `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build`. */
export const parseDriverVersion = (text: string): string | null =>
  /^NVRM version:.*?\s(\d+(?:\.\d+)+)\s/m.exec(text)?.[1] ?? null

const readCapabilities = async (): Promise<string[]> => {
  const args = ['--query-gpu=compute_cap', '--format=csv,noheader']
  const { stdout } = await run('nvidia-smi', args, { timeout: smiLimitMs }).catch(() => ({ stdout: '' }))
  const lines = stdout.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => /^\d+\.\d+$/.test(line)))]
}

/** As Vulkan's loader finds them. */
const readVulkanDrivers = async (): Promise<string[]> => {
  const { VK_DRIVER_FILES, VK_ICD_FILENAMES } = environment()
  const named = VK_DRIVER_FILES ?? VK_ICD_FILENAMES
  if (named !== undefined) return named.split(':').filter((path) => path !== '')
  const listed = await Promise.all(
    vulkanFolders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  )
  return listed.flat().filter((path) => path.endsWith('.json'))
}
