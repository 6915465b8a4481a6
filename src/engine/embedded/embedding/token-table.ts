import { closeSync, openSync, readSync } from 'node:fs'
import type { TokenTable } from '../../../gguf/write-without-vocabulary.ts'
import { type LlamaApi, unpackTensor } from '../llama/llama-api.ts'

export type OpenTokenTable = {
  /** Numbers of a row. */
  width: number
  /** Writes the vectors of the tokens to `target`, one after the other. */
  read(tokens: readonly Uint32Array[], target: Float32Array): void
  close(): void
}

/** The vectors of an encoder's tokens, read from its file when they are needed: most tokens of a vocabulary never are. */
export const openTokenTable = (
  api: LlamaApi,
  path: string,
  { position, rowBytes, rows, width, typeNumber }: TokenTable,
): OpenTokenTable => {
  const file = openSync(path, 'r')
  let stored = new Uint8Array(0)
  return {
    width,
    read(inputs, target) {
      const count = inputs.reduce((sum, { length }) => sum + length, 0)
      if (stored.length < count * rowBytes) stored = new Uint8Array(count * rowBytes)
      let at = 0
      for (const tokens of inputs)
        for (const token of tokens) {
          if (token >= rows) throw new Error(`the vocabulary has no token ${token}`)
          if (readSync(file, stored, at, rowBytes, position + token * rowBytes) !== rowBytes)
            throw new Error('the file of the model has become shorter')
          at += rowBytes
        }
      unpackTensor(api, { typeNumber, count: count * width }, stored.subarray(0, at), target)
    },
    close: () => closeSync(file),
  }
}
