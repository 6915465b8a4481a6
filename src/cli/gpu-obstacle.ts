/** What a machine has for GPUs. */
export type GpuFacts = {
  /** Version of NVIDIA's driver; null without one. */
  nvidiaDriver: string | null
  /** NVIDIA's compute capabilities, for example `9.0`; empty if they are not known. */
  capabilities: readonly string[]
  /** Files that describe Vulkan drivers. */
  vulkanDrivers: readonly string[]
}

export const gpuPackageKinds = ['cuda', 'vulkan'] as const
export type GpuPackageKind = (typeof gpuPackageKinds)[number]

/** The CUDA package has machine code for these; for others it has PTX, which this and older drivers cannot compile. */
const compiledCapabilities = ['8.6', '8.9', '12.0', '12.1']
const lastDriverWithoutPtx = 580

/** Why the package cannot work on this machine, for the operator; null if it may. */
export const gpuObstacle = (kind: GpuPackageKind, facts: GpuFacts): string | null => {
  const { nvidiaDriver, capabilities, vulkanDrivers } = facts
  if (kind === 'vulkan')
    return vulkanDrivers.length > 0
      ? null
      : 'there is no Vulkan driver on this machine (no file in /usr/share/vulkan/icd.d or /etc/vulkan/icd.d); on Debian, mesa-vulkan-drivers has those for AMD and Intel'
  if (nvidiaDriver === null) return 'there is no NVIDIA driver on this machine (no /proc/driver/nvidia/version)'
  const foreign = capabilities.filter((capability) => !compiledCapabilities.includes(capability))
  if (foreign.length === 0 || Number.parseInt(nvidiaDriver, 10) > lastDriverWithoutPtx) return null
  return (
    `the GPU has compute capability ${foreign.join(', ')}, but the package has machine code only for ${compiledCapabilities.join(', ')}, ` +
    `and driver ${nvidiaDriver} cannot compile its PTX: build llama.cpp and set engineLibraries, see docs/operating.md`
  )
}
