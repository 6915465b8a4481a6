import type { EndTokens } from '../generation-config.ts'
import type { ModelFile } from '../model-folder.ts'

/** How the keys and values of tokens are kept. */
export type CacheType = 'f16' | 'q8_0'
export type FlashAttention = 'auto' | 'on' | 'off'

export type LoadSettings = {
  weightsPath: string
  files: ModelFile[]
  endTokens: EndTokens
  /** For one conversation; lowered to what the weights were trained for. */
  contextTokens: number
  slots: number
  threads: number
  gpu: boolean
  cacheType: CacheType
  flashAttention: FlashAttention
}
