/**
 * What a text costs an embedding model: CPU time of this process for texts of several lengths, alone and beside others, and the
 * memory that it takes. The ratio is the cost beside others to the cost alone.
 */
import { readFileSync } from 'node:fs'
import { openEmbedder } from '../src/engine/embedded/embedding/open-embedder.ts'

const lengths = [12, 23, 100, 250, 512]
const others = 16
/** Enough tokens for a stable mean. */
const measuredTokens = 2000

export const measureEmbeddings = async (weightsPath: string, threads = 1): Promise<void> => {
  const settings = { weightsPath, contextTokens: 512, slots: 1, threads, gpu: false, cacheType: 'f16' } as const
  const embedder = await openEmbedder(
    { ...settings, kind: 'embedding', gpuLayers: 0, flashAttention: 'auto' },
    () => {},
  )
  const words = 'how many grams of protein should an adult eat every day to stay healthy and strong? '
  const tokens = await embedder.tokenise(words.repeat(80), 'part')
  const costMs = async (length: number, count: number): Promise<number> => {
    const inputs = Array.from({ length: count }, (_, index) => tokens.subarray(index, index + length))
    await embedder.embed(inputs)
    const rounds = Math.max(2, Math.ceil(measuredTokens / length / count))
    const before = process.cpuUsage()
    for (let round = 0; round < rounds; round += 1) await embedder.embed(inputs)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / rounds / count
  }
  for (const length of lengths.filter((one) => one <= embedder.contextTokens)) {
    const alone = await costMs(length, 1)
    // Those that fit a step.
    const beside = await costMs(length, Math.max(1, Math.min(others, Math.floor(embedder.batchTokens / length))))
    const shown = { tokens: length, aloneCpuMs: round(alone), besideOthersCpuMs: round(beside), threads }
    console.log(JSON.stringify({ bench: 'embeddings', ratio: round(beside / alone), ...shown }))
  }
  const { weights, cache, buffers } = embedder.memory
  const planMb = Math.round((weights + cache + buffers) / 1e6)
  console.log(JSON.stringify({ bench: 'embeddings', ...readMemory(), planMb }))
  embedder.close()
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Of this process; only on Linux. */
const readMemory = (): object => {
  if (process.platform !== 'linux') return {}
  const status = readFileSync('/proc/self/status', 'utf8')
  const megabytes = (field: string) =>
    Math.round((Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6)
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
}
