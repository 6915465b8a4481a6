import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ggufBytes } from '../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../../scripts/tiny-models/tiny-models.ts'
import { bytesSource } from '../../test/harness/bytes-source.ts'
import { gridRuns } from '../../test/harness/grid.ts'
import { mutateGguf, mutations } from '../../test/harness/mutate-gguf.ts'
import { chunkBytes } from './byte-reader.ts'
import { describeGguf } from './describe-gguf.ts'
import { GgufRefused } from './gguf-refused.ts'
import { readGgufSource } from './read-gguf.ts'

const none = new Float32Array()
const originals = Object.fromEntries(
  (['tiny-chat', 'tiny-embedding'] as const).map((name) => {
    const contents = tinyModels[name]()
    const empty = contents.tensors.map((tensor) => ({ ...tensor, values: none }))
    return [name, { bytes: ggufBytes(contents), headBytes: ggufBytes({ ...contents, tensors: empty }).length }]
  }),
)

const runs = gridRuns(10_000)

test('each of thousands of mutated files is described or refused in one line, with bounded reading', async () => {
  const outcomes = { described: 0, refused: 0 }
  const property = fc.asyncProperty(fc.constantFrom(...Object.keys(originals)), mutations, async (name, changes) => {
    const { bytes, headBytes } = originals[name] ?? { bytes: Buffer.alloc(0), headBytes: 0 }
    const source = bytesSource(mutateGguf(bytes, headBytes, changes))
    const outcome = await readGgufSource(source)
      .then((file) => describeGguf([file]))
      .catch((error: unknown) => error)
    if (outcome instanceof GgufRefused) {
      outcomes.refused += 1
      expect(outcome.message).toMatch(/^\P{Cc}{4,300}$/u)
    } else {
      outcomes.described += 1
      expect(outcome).toMatchObject({ architecture: expect.any(String), parameters: expect.any(Number) })
    }
    // Each chunk is read at most once, but for what a value at its end needs from the next.
    expect(source.reads).toBeLessThanOrEqual(Math.ceil(source.sizeBytes / chunkBytes) + 1)
    expect(source.bytesRead).toBeLessThanOrEqual(source.sizeBytes + chunkBytes)
  })
  await fc.assert(property, { numRuns: runs })
  // Both outcomes must occur often, or the mutations are too mild or too rough.
  expect(outcomes.described).toBeGreaterThan(runs / 20)
  expect(outcomes.refused).toBeGreaterThan(runs / 20)
}, 600_000)
