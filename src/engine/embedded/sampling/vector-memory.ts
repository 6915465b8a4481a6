import { readFileSync } from 'node:fs'

/** Numbers in a block of `vector-passes.wat`. */
export const blockTokens = 256

/** The functions of `vector-passes.wat`, which describes them. */
type Passes = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  maxima(from: number, to: number, out: number): void
  weigh(from: number, to: number, best: number, heat: number, floor: number, weights: number, sums: number): void
  collect(from: number, to: number, floor: number, out: number): number
}
/** True because a test compiles the file again from its source. */
const asPasses = (exports: unknown): Passes => exports as Passes

/** As much of Node's own `WebAssembly` as is needed; TypeScript knows it only from browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

const pageBytes = 65_536

const createMemory = (tokens: number) => {
  const blocks = Math.ceil(tokens / blockTokens)
  const capacity = blocks * blockTokens
  const starts = { weights: capacity * 4, ids: capacity * 8, sums: capacity * 12, maxima: capacity * 12 + blocks * 8 }
  const bytes = readFileSync(new URL('./vector-passes.wasm', import.meta.url))
  const passes = asPasses(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports)
  passes.memory.grow(Math.ceil((starts.maxima + blocks * 4) / pageBytes))
  const { buffer } = passes.memory
  return {
    capacity,
    passes,
    /** Addresses of the arrays below; the logits are at 0. */
    starts,
    logits: new Float32Array(buffer, 0, capacity),
    weights: new Float32Array(buffer, starts.weights, capacity),
    ids: new Int32Array(buffer, starts.ids, capacity),
    sums: new Float64Array(buffer, starts.sums, blocks),
    maxima: new Float32Array(buffer, starts.maxima, blocks),
  }
}

let memory = createMemory(0)

/** Memory for this many tokens, and the functions that read it. Allocated again only for a larger vocabulary. */
export const memoryFor = (tokens: number): typeof memory => {
  if (memory.capacity < tokens) memory = createMemory(tokens)
  return memory
}
