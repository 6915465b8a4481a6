import { installedGpuPackages, type LibrarySource, loadedGpu, loadLlamaApi } from './llama-api.ts'

/** Tries the libraries in this process, which must not have loaded others. Throws with the reason if a GPU is wanted and not used. */
export const examineGpu = (source: LibrarySource): string => {
  if (source.gpu === false) {
    if (typeof source.ownBuild === 'string') {
      loadLlamaApi(source, () => {})
      return `not used; llama.cpp is loaded from ${source.ownBuild}`
    }
    const [first] = installedGpuPackages(source)
    return first === undefined ? 'not used' : `not used: ${first} is installed, but HELIX_ENGINE_GPU is not set`
  }
  loadLlamaApi(source, () => {})
  const { device, fault } = loadedGpu()
  if (device === null) throw new Error(fault ?? 'no GPU is used')
  return device
}
