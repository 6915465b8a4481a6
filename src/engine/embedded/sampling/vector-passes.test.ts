import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import openWabt from 'wabt'

const read = (name: string) => readFileSync(new URL(name, import.meta.url))

test('vector-passes.wasm was compiled from vector-passes.wat', async () => {
  const wabt = await openWabt()
  const { buffer } = wabt.parseWat('vector-passes.wat', read('vector-passes.wat').toString()).toBinary({})
  expect(read('vector-passes.wasm').equals(buffer), 'run npm run vector-passes').toBe(true)
})
