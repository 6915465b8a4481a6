import { installedGpuPackages, loadedGpu, loadLlamaApi } from './llama-api.ts'

/** Tries the libraries in this process, which must not have loaded others. Throws with the reason if a GPU is wanted and not used. */
export const examineGpu = (isWanted: boolean): string => {
  if (!isWanted) {
    const [first] = installedGpuPackages()
    return first === undefined ? 'not used' : `not used: ${first} is installed, but HELIX_ENGINE_GPU is not set`
  }
  loadLlamaApi(true, () => {})
  const { device, fault } = loadedGpu()
  if (device === null) throw new Error(fault ?? 'no GPU is used')
  return device
}
