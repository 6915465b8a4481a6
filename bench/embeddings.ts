/**
 * With `--model=FILE.gguf`: what texts cost that model. Otherwise: compares the vectors of the tiny embedding model with those of llama-server (`LLAMA_SERVER_BIN`), which reads the same
 * file. Not a measurement of speed: the ratio is the largest difference to the allowed one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTinyModel } from '../scripts/tiny-models/tiny-models.ts'
import { openEmbedder } from '../src/engine/embedded/embedding/open-embedder.ts'
import { measureEmbeddings } from './embeddings-speed.ts'
import { launchLlamaServer } from './launch-llama-server.ts'

const contextTokens = 256
const allowedDifference = 1e-3
const texts = [
  'the river bank',
  'money in the bank',
  'the house is in the water of the river, and the dog is in the house.',
  'Crème brûlée',
  '日本',
  'x',
  'water '.repeat(200),
]

const model = process.argv.find((argument) => argument.startsWith('--model='))?.slice('--model='.length)
if (model !== undefined) {
  await measureEmbeddings(model)
  process.exit(0)
}
const program = process.env.LLAMA_SERVER_BIN
if (program === undefined || program === '') {
  console.log(JSON.stringify({ bench: 'embeddings', note: 'LLAMA_SERVER_BIN is not set: nothing to compare with' }))
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'helix-bench-'))
const weightsPath = writeTinyModel(folder, 'tiny-embedding')
const settings = { weightsPath, contextTokens, slots: 1, threads: 1, gpu: false, cacheType: 'f16' } as const
const embedder = await openEmbedder({ ...settings, kind: 'embedding', gpuLayers: 0, flashAttention: 'auto' }, () => {})
const ours = await embedder.embed(await Promise.all(texts.map((text) => embedder.tokenise(text, 'input'))))
embedder.close()
const reference = await launchLlamaServer(
  { program, weightsPath, slots: 1, contextTokens, threads: 1, isEmbedding: true },
  AbortSignal.timeout(60_000),
)
const response = await fetch(`${reference.url}/v1/embeddings`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'any', input: texts }),
})
const { data } = (await response.json()) as { data: { embedding: number[] }[] }
await reference.close()
rmSync(folder, { recursive: true })
const differences = data.flatMap(({ embedding }, input) =>
  embedding.map((value, index) => Math.abs(value - (ours[input]?.[index] ?? Number.NaN))),
)
const largest = Math.max(...differences)
console.log(
  JSON.stringify({
    bench: 'embeddings',
    ratio: largest / allowedDifference,
    largestDifference: largest,
    inputs: data.length,
    numbers: differences.length,
    reference: reference.flags,
  }),
)
if (!(largest <= allowedDifference) || data.length !== texts.length) process.exitCode = 1
