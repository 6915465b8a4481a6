import { createRandom } from '../../src/engine/embedded/sampling/random.ts'
import type { GgufTensor } from './gguf-bytes.ts'

/** Creates tensors from a fixed seed, so that a model has the same weights everywhere. */
export const createRandomTensors = (seed: number) => {
  const random = createRandom(seed)
  const tensor = (name: string, shape: readonly number[], next: () => number): GgufTensor => {
    const size = shape.reduce((product, length) => product * length, 1)
    return { name, shape, values: Float32Array.from({ length: size }, next) }
  }
  const spread = (width: number) => () => (2 * random() - 1) * width
  return {
    /** Scaled by the row length, so that activations neither vanish nor grow from layer to layer. */
    matrix: (name: string, shape: readonly [rowLength: number, rows: number]) =>
      tensor(`${name}.weight`, shape, spread(Math.sqrt(3 / shape[0]))),
    embedding: (name: string, shape: readonly [width: number, rows: number]) =>
      tensor(`${name}.weight`, shape, spread(1)),
    scale: (name: string, width: number) => tensor(`${name}.weight`, [width], () => 1 + 0.1 * (random() - 0.5)),
    bias: (name: string, width: number) => tensor(`${name}.bias`, [width], spread(0.1)),
  }
}
