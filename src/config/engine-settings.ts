import { availableParallelism } from 'node:os'
import { slotsRange } from './model-setting.ts'
import { choice, flagOr, integer, path, type Setting } from './setting.ts'

/** The embedded engine. */
export const engineSettings = {
  engineSlots: integer({
    default: 4,
    ...slotsRange,
    text: 'Number of completions that each model generates concurrently.',
  }),
  engineThreads: integer({
    default: availableParallelism(),
    defaultText: 'number of CPU cores',
    min: 1,
    max: 1024,
    text: 'Threads used by the embedded engine. Using more threads than CPU cores makes it much slower.',
  }),
  engineGpu: flagOr('required', {
    default: false,
    text: 'Runs the embedded engine on a GPU; requires additional packages, see docs/operating.md. `1`: on the CPU if no GPU can be used, with a warning; `required` (not on the command line): models are refused then, and the server does not start.',
  }),
  engineLibraries: path({
    default: null,
    text: "Folder with your own build of llama.cpp, used instead of the package's libraries; see docs/operating.md.",
  }),
  engineGpuLayers: integer({
    default: null,
    defaultText: 'all layers, or as many as fit',
    min: 0,
    max: 10_000,
    text: 'Layers of the model that run on the GPU if `engineGpu` is on, the output counted as one. A model is refused if so many do not fit in the memory of the GPU.',
  }),
  engineGpuSplitMode: choice(['layer', 'row', 'none'], {
    default: 'layer',
    text: 'How several GPUs share a model: by layers, by the rows of its matrices, or not at all (only `engineMainGpu` is used).',
  }),
  engineMainGpu: integer({
    default: 0,
    min: 0,
    max: 63,
    text: 'Index of the GPU that is used if `engineGpuSplitMode` is `none`, and for intermediate results if it is `row`.',
  }),
  engineCacheType: choice(['f16', 'q8_0'], {
    default: 'f16',
    text: 'Precision of the KV cache. `q8_0` takes about half the memory and requires flash attention.',
  }),
  engineFlashAttention: choice(['auto', 'on', 'off'], {
    default: 'auto',
    text: 'Flash attention in the embedded engine. `auto`: on if the model supports it.',
  }),
  engineSpeculation: choice(['auto', 'off'], {
    default: 'auto',
    text: 'Whether the embedded engine drafts tokens that repeat earlier text while a single completion is running. The answers are the same. `auto`: as long as it is faster.',
  }),
  engineSilenceLimitMs: integer({
    default: 28_000,
    min: 1_000,
    max: 600_000,
    text: 'How long the embedded engine process can be unresponsive before it is killed and restarted. Five times as long while a model is loading.',
  }),
} satisfies Record<string, Setting<unknown>>
