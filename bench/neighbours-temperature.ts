import { loadavg } from 'node:os'
import { openFloodedServer } from './flood-server.ts'
import { ratioSpread, report, spreadOf } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

/**
 * How much a flood at temperature 2, where almost every token is possible, slows a caller of the model, against the same flood
 * at temperature 0: the 99th percentile of the gap between the tokens of its streams, and the 90th of the time to the first one.
 */
const maxRatio = 1.5
const floodStreams = 3
const answerTokens = 40
/** After a flood the engine still has a step to end. */
const restMs = 500

type Figures = { gapMs: number; firstTokenMs: number }

export const measureTemperature = async (options: { rounds: number; durationMs: number }): Promise<void> => {
  const { rounds, durationMs } = options
  const signal = AbortSignal.timeout(120_000 + rounds * 2 * (durationMs + 30_000))
  const server = await openFloodedServer('model')
  const ask = (key: string, temperature: number, maxTokens: number, until: AbortSignal) =>
    askChat(
      { ...server, key },
      { content: 'Tell me a long story.', maxTokens, fields: { temperature, ignore_eos: true } },
      until,
    )
  const flood = (temperature: number) => {
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const one = async (): Promise<void> => {
      while (!until.aborted)
        for await (const _ of readTexts(await ask(server.floodKey, temperature, 2000, until))) if (until.aborted) return
    }
    const all = Array.from({ length: floodStreams }, () => one().catch(() => {}))
    return async () => {
      ending.abort()
      await Promise.all(all)
    }
  }
  const measure = async (temperature: number): Promise<Figures> => {
    const stop = flood(temperature)
    const gapsMs: number[] = []
    const firstTokensMs: number[] = []
    const untilMs = performance.now() + durationMs
    while (performance.now() < untilMs) {
      const askedMs = performance.now()
      let lastMs: number | null = null
      for await (const _ of readTexts(await ask(server.otherKey, 0, answerTokens, signal))) {
        const nowMs = performance.now()
        if (lastMs === null) firstTokensMs.push(nowMs - askedMs)
        else gapsMs.push(nowMs - lastMs)
        lastMs = nowMs
      }
    }
    await stop()
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return { gapMs: percentile(gapsMs, 0.99), firstTokenMs: percentile(firstTokensMs, 0.9) }
  }
  try {
    await measure(2)
    const hot: Figures[] = []
    const cold: Figures[] = []
    for (let round = 0; round < rounds; round += 1) {
      if (round % 2 === 0) cold.push(await measure(0))
      hot.push(await measure(2))
      if (round % 2 === 1) cold.push(await measure(0))
    }
    const compare = (figure: keyof Figures) => {
      const [ours, reference] = [hot, cold].map((all) => all.map((one) => one[figure]))
      return {
        ratio: ratioSpread(ours ?? [], reference ?? []),
        hotMs: spreadOf(ours ?? []),
        coldMs: spreadOf(reference ?? []),
      }
    }
    const [gapP99, firstTokenP90] = [compare('gapMs'), compare('firstTokenMs')]
    report({
      bench: 'neighbours',
      ratio: gapP99.ratio.median > firstTokenP90.ratio.median ? gapP99.ratio : firstTokenP90.ratio,
      target: `gap and first token beside a flood at temperature 2 within ${maxRatio} times those at temperature 0`,
      met: gapP99.ratio.median <= maxRatio && firstTokenP90.ratio.median <= maxRatio,
      rounds,
      figures: {
        engine: 'model',
        floodStreams,
        seconds: durationMs / 1000,
        loadAverage: loadavg(),
        gapP99,
        firstTokenP90,
      },
    })
  } finally {
    await server.close()
  }
}

const percentile = (sample: readonly number[], share: number): number =>
  sample.toSorted((a, b) => a - b)[Math.ceil(sample.length * share) - 1] ?? Number.NaN
