import type { GgufDescription } from '../../gguf/describe-gguf.ts'
import type { ModelKind } from '../contract.ts'
import type { EndTokens } from '../generation-config.ts'
import type { ModelFile } from '../model-folder.ts'

/** Storage format of the cached keys and values. */
export type CacheType = 'f16' | 'q8_0'
export type FlashAttention = 'auto' | 'on' | 'off'
/** Whether to use a GPU; `required`: and to refuse the model if there is none. */
type GpuChoice = boolean | 'required'
/** How several GPUs share a model. */
type GpuSplitMode = 'none' | 'layer' | 'row'
/** Drafting tokens of an answer from its prompt. */
export type Speculation = 'auto' | 'off'

export type LoadSettings = {
  kind: ModelKind
  weightsPath: string
  files: ModelFile[]
  endTokens: EndTokens
  /** What the files say of the model's size; it is needed to divide a model between GPU and CPU. */
  description?: Pick<GgufDescription, 'sizeBytes' | 'cacheShape' | 'vocabularyTokens'>
  /** Per conversation; lowered to the trained context length if necessary. */
  contextTokens: number
  slots: number
  threads: number
  gpu: GpuChoice
  /** The folder of the operator's own build of llama.cpp. */
  ownBuild?: string | null
  /** Another folder of packages, which is searched first. */
  packages?: string | null
  /** As many as fit by default. Without a GPU it has no effect. */
  gpuLayers?: number | null
  splitMode?: GpuSplitMode
  /** Index of the GPU for what is not split. */
  mainGpu?: number
  cacheType: CacheType
  flashAttention: FlashAttention
  speculation: Speculation
  /** Where the results of steps are written; without it, they are messages of the process. */
  resultsDescriptor?: number
}
