import { parseArgs } from 'node:util'
import { type LaunchedHelix, launchHelix } from './launch-helix.ts'
import { ratioSpread, spreadOf, takeTurns } from './measure.ts'
import { measureAnswer } from './measure-streams.ts'
import { processCpuUs } from './process-cpu.ts'
import { atLeast, reportPart } from './report-part.ts'
import { speculationPrompts } from './speculation-prompts.ts'
import type { Question } from './stream-chat.ts'

/**
 * A single stream with drafts from its prompt and without, in turns: tokens per second, and CPU time of the engine
 * process per token, which means something on a busy machine too (then use `--threads=1`).
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, threads: { type: 'string' } },
})
const rounds = Number(options.rounds)
const maxTokens = 120
const signal = AbortSignal.timeout(3_000_000)

const threads = options.threads === undefined ? {} : { HELIX_ENGINE_THREADS: options.threads }
const launch = async (speculation: 'auto' | 'off') => {
  const helix = await launchHelix(signal, { ...threads, HELIX_ENGINE_SPECULATION: speculation })
  return { helix, enginePid: await helix.engineReady() }
}
type Launched = { helix: LaunchedHelix; enginePid: number }
type Figures = { tokensPerSecond: number[]; cpuMs: number[] }

const ask = async ({ helix, enginePid }: Launched, question: Question, into: Figures): Promise<number> => {
  const cpuBeforeUs = processCpuUs(enginePid)
  const { arrivalsMs, usage } = await measureAnswer(helix, question, signal)
  const tokens = usage.completion_tokens
  into.cpuMs.push((processCpuUs(enginePid) - cpuBeforeUs) / 1000 / tokens)
  const perSecond = (1000 * (tokens - 1)) / ((arrivalsMs.at(-1) ?? Number.NaN) - (arrivalsMs[0] ?? Number.NaN))
  into.tokensPerSecond.push(perSecond)
  return perSecond
}

const drafting = await launch('auto')
const plain = await launch('off')
try {
  for (const [name, content] of Object.entries(speculationPrompts))
    for (const temperature of [0, 0.7]) {
      const question = { content, maxTokens, fields: { temperature, seed: 7 } }
      const [withDrafts, without]: Figures[] = [
        { tokensPerSecond: [], cpuMs: [] },
        { tokensPerSecond: [], cpuMs: [] },
      ]
      if (!withDrafts || !without) throw new Error('there are two')
      // Reads the prompt, so that only the answers are measured.
      for (const server of [drafting.helix, plain.helix]) await measureAnswer(server, question, signal)
      await takeTurns(rounds, {
        drafting: () => ask(drafting, question, withDrafts),
        plain: () => ask(plain, question, without),
      })
      reportPart({
        bench: 'speculation',
        part: `${name}, temperature ${temperature}`,
        ratio: ratioSpread(withDrafts.tokensPerSecond, without.tokensPerSecond),
        target: atLeast(name === 'story' ? 0.97 : 1.05),
        rounds,
        figures: {
          cpuRatio: ratioSpread(without.cpuMs, withDrafts.cpuMs),
          tokensPerSecondWith: spreadOf(withDrafts.tokensPerSecond, 1),
          tokensPerSecondWithout: spreadOf(without.tokensPerSecond, 1),
        },
      })
    }
} finally {
  await drafting.helix.close()
  await plain.helix.close()
}
