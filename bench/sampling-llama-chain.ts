import { createRequire } from 'node:module'
import koffi from 'koffi'
import { findLibraries } from '../src/engine/embedded/llama/find-libraries.ts'
import type { Filters } from '../src/engine/embedded/sampling/sample-token.ts'

const libraries = findLibraries({
  paths: createRequire(import.meta.url).resolve.paths('@node-llama-cpp/any') ?? [],
  platform: `${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`,
  gpu: false,
})
koffi.load(libraries.ggml, { global: true })
const llama = koffi.load(libraries.llama)

koffi.struct('llama_sampler_chain_params', { no_perf: 'bool' })
koffi.struct('llama_token_data_array', { data: 'void *', size: 'size_t', selected: 'int64_t', sorted: 'bool' })
const createChain = llama.func('void * llama_sampler_chain_init(llama_sampler_chain_params params)')
const add = llama.func('void llama_sampler_chain_add(void * chain, void * sampler)')
const apply = llama.func('void llama_sampler_apply(void * sampler, _Inout_ llama_token_data_array * tokens)')
const free = llama.func('void llama_sampler_free(void * sampler)')
const topK = llama.func('void * llama_sampler_init_top_k(int32_t k)')
const topP = llama.func('void * llama_sampler_init_top_p(float p, size_t min_keep)')
const minP = llama.func('void * llama_sampler_init_min_p(float p, size_t min_keep)')
const temperature = llama.func('void * llama_sampler_init_temp(float t)')
const distribution = llama.func('void * llama_sampler_init_dist(uint32_t seed)')
const greedy = llama.func('void * llama_sampler_init_greedy()')

/** Of a `llama_token_data`: id, logit and probability. */
const bytesPerToken = 12

/**
 * llama.cpp's chain with only the samplers that these filters need. `llama_sampler_sample` first writes the logits into an
 * array of tokens; here that array is copied from a template, which takes no longer.
 */
export const createLlamaChain = (logits: Float32Array, filters: Filters): { sample: () => void; free: () => void } => {
  const chain = createChain({ no_perf: true })
  if (filters.topK > 0) add(chain, topK(filters.topK))
  if (filters.topP < 1) add(chain, topP(filters.topP, 1))
  if (filters.minP > 0) add(chain, minP(filters.minP, 1))
  if (filters.temperature > 0) add(chain, temperature(filters.temperature))
  add(chain, filters.temperature > 0 ? distribution(7) : greedy())
  const template = new DataView(new ArrayBuffer(logits.length * bytesPerToken))
  for (const [id, logit] of logits.entries()) {
    template.setInt32(id * bytesPerToken, id, true)
    template.setFloat32(id * bytesPerToken + 4, logit, true)
  }
  const bytes = new Uint8Array(template.buffer)
  const data = koffi.alloc('uint8_t', bytes.length)
  const tokens = new Uint8Array(koffi.view(data, bytes.length))
  return {
    sample() {
      tokens.set(bytes)
      apply(chain, { data, size: logits.length, selected: -1, sorted: false })
    },
    free() {
      free(chain)
      koffi.free(data)
    },
  }
}
