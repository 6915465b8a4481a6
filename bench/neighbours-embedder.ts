import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { launchHelix } from './launch-helix.ts'
import { ratioSpread, report, spreadOf } from './measure.ts'
import { startPinned } from './start-pinned.ts'
import { askChat, readTexts } from './stream-chat.ts'

/**
 * How much a caller who embeds 2,048 inputs at a time, with a model on this machine, slows the streams of others: the 99th percentile
 * of the gap between the tokens of a stream from an upstream, and of one of helix-v1, which computes on the same cores. The control is the
 * same server when nobody embeds.
 */
const maxRatio = 1.5
const inputsPerRequest = 2048
const upstreamModel = 'steady'
const names = { upstream: upstreamModel, 'helix-v1': 'helix-v1' }
/** After a request that was cancelled the engine still has a batch to end. */
const restMs = 1000

type Options = { rounds: number; durationMs: number; embedder: string | undefined }

export const measureEmbedder = async ({ rounds, durationMs, embedder }: Options): Promise<void> => {
  const signal = AbortSignal.timeout(180_000 + rounds * 4 * (durationMs + 30_000))
  const builtIn = (name: string): string => fileURLToPath(new URL(`../models/${name}`, import.meta.url))
  const upstream = startPinned(new URL('./neighbours-upstream.ts', import.meta.url), undefined)
  const [port] = await once(upstream, 'message', { signal })
  const helix = await launchHelix(signal, {
    HELIX_MODELS: JSON.stringify([
      { name: 'helix-v1', path: builtIn('helix-v1'), default: true },
      { name: 'embedder', path: embedder ?? builtIn('helix-embed-v1') },
    ]),
    HELIX_UPSTREAMS: JSON.stringify([{ name: 'other', url: `http://127.0.0.1:${port}/v1`, models: [upstreamModel] }]),
  })
  const embed = async (until: AbortSignal): Promise<number> => {
    const input = Array.from({ length: inputsPerRequest }, (_, index) => `input ${index}`)
    const response = await fetch(`${helix.url}/v1/embeddings`, {
      method: 'POST',
      signal: until,
      headers: { authorization: `Bearer ${helix.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'embedder', input, encoding_format: 'base64' }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text.length
  }
  const gapMs = async (model: string): Promise<number> => {
    const gapsMs: number[] = []
    const untilMs = performance.now() + durationMs
    while (performance.now() < untilMs) {
      let lastMs: number | null = null
      const content = model === upstreamModel ? 'steady' : 'Tell me a long story.'
      const asked = { content, maxTokens: 200, fields: model === upstreamModel ? {} : { ignore_eos: true } }
      for await (const _ of readTexts(await askChat({ ...helix, model }, asked, signal))) {
        const nowMs = performance.now()
        if (lastMs !== null) gapsMs.push(nowMs - lastMs)
        lastMs = nowMs
        if (nowMs > untilMs) break
      }
    }
    return gapsMs.toSorted((a, b) => a - b)[Math.ceil(gapsMs.length * 0.99) - 1] ?? durationMs
  }
  let requests = 0
  const besideEmbedding = async (model: string): Promise<number> => {
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const embedding = (async () => {
      for (; !until.aborted; requests += 1) await embed(until)
    })().catch((error: unknown) => {
      if (!until.aborted) throw error
    })
    const measuredMs = await gapMs(model)
    ending.abort()
    await embedding
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return measuredMs
  }
  try {
    await helix.engineReady()
    // Loads the model, and excludes V8's compilation.
    await embed(signal)
    for (const [name, model] of Object.entries(names)) {
      await besideEmbedding(model)
      const embeddingMs: number[] = []
      const controlMs: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        if (round % 2 === 0) controlMs.push(await gapMs(model))
        embeddingMs.push(await besideEmbedding(model))
        if (round % 2 === 1) controlMs.push(await gapMs(model))
      }
      const ratio = ratioSpread(embeddingMs, controlMs)
      const isTarget = model === upstreamModel
      report({
        bench: 'neighbours',
        ratio,
        target: isTarget
          ? `gap of a stream from an upstream beside embeddings within ${maxRatio} times the control`
          : null,
        met: isTarget ? ratio.median <= maxRatio : null,
        rounds,
        figures: {
          stream: name,
          inputsPerRequest,
          requests,
          seconds: durationMs / 1000,
          loadAverage: loadavg(),
          gapP99Ms: { embedding: spreadOf(embeddingMs), control: spreadOf(controlMs) },
        },
      })
    }
  } finally {
    await helix.close()
    upstream.disconnect()
  }
}
