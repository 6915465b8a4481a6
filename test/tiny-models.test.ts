import { expect, test } from 'vitest'
import { ggufBytes } from '../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../scripts/tiny-models/tiny-models.ts'

test.each(Object.entries(tinyModels))(
  '%s is a GGUF file of less than a megabyte, the same each time',
  (_, contents) => {
    const bytes = ggufBytes(contents())
    expect(bytes.toString('latin1', 0, 4)).toBe('GGUF')
    expect(bytes.length).toBeLessThan(1_000_000)
    expect(ggufBytes(contents()).equals(bytes)).toBe(true)
  },
)
