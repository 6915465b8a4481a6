import { setTimeout } from 'node:timers/promises'
import { ratioSpread, spreadOf } from './measure.ts'
import { measureStreams, type StreamsMeasure } from './measure-streams.ts'
import { processCpuUs } from './process-cpu.ts'
import { newRailwayQuestion } from './railway-question.ts'
import { atLeast, atMost, reportPart, type Target } from './report-part.ts'
import type { ChatServer, Question } from './stream-chat.ts'

/** The threads of llama-server spin for a while after a turn, on the cores that the other server is measured on next. */
const restMs = 1_000

type Turn = { cold: StreamsMeasure; warm: StreamsMeasure; cores: number }

/**
 * Sends new prompts, which measures the first token, and then the same prompts again, which measures the first token
 * with the prompt in memory, and pure decoding: all streams generate from the start, so that it does not matter in which
 * order a server reads prompts.
 */
export const takeTurn = async (
  server: ChatServer,
  pid: number | null,
  questions: Question[],
  signal: AbortSignal,
): Promise<Turn> => {
  const cold = await measureStreams(server, questions, signal)
  const startedMs = performance.now()
  const cpuUs = pid === null ? Number.NaN : processCpuUs(pid)
  const warm = await measureStreams(server, questions, signal)
  const usedMs = pid === null ? Number.NaN : (processCpuUs(pid) - cpuUs) / 1000
  return { cold, warm, cores: usedMs / (performance.now() - startedMs) }
}

type Width = {
  helix: ChatServer
  reference: ChatServer | null
  /** The ids of the processes that compute. */
  processes: { helix: number; reference: number | null }
  streams: number
  rounds: number
  promptTokens: number
  maxTokens: number
}

/** Compares the two servers at one number of concurrent streams, in turns and with the same prompts. */
export const measureWidth = async (
  { helix, reference, processes, streams, rounds, promptTokens, maxTokens }: Width,
  signal: AbortSignal,
): Promise<void> => {
  const ours: Turn[] = []
  const theirs: Turn[] = []
  for (let round = 0; round < rounds; round += 1) {
    const questions = Array.from({ length: streams }, () => newRailwayQuestion(maxTokens, promptTokens))
    const turns = [
      async () => ours.push(await takeTurn(helix, processes.helix, questions, signal)),
      async () => reference && theirs.push(await takeTurn(reference, processes.reference, questions, signal)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      await setTimeout(restMs, undefined, { signal })
      await turn()
    }
  }
  const compare = (part: string, target: Target | null, figureOf: (turn: Turn) => number, digits: number): void =>
    reportPart({
      bench: 'engine',
      part: `${part}, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
      ratio: reference ? ratioSpread(ours.map(figureOf), theirs.map(figureOf)) : null,
      target,
      rounds,
      figures: {
        helix: spreadOf(ours.map(figureOf), digits),
        llamaServer: reference ? spreadOf(theirs.map(figureOf), digits) : null,
      },
    })
  compare('decode tokens per second', atLeast(0.97), ({ warm }) => warm.decodeTokensPerSecond, 1)
  compare('first token of a new prompt in ms', atMost(1.05), ({ cold }) => cold.firstTokenMs, 0)
  compare('first token of a repeated prompt in ms', atMost(1.2), ({ warm }) => warm.firstTokenMs, 0)
  compare('tokens per second including new prompts', null, ({ cold }) => cold.wholeTokensPerSecond, 1)
  compare('CPU cores used with repeated prompts', null, ({ cores }) => cores, 1)
  compare('prompt tokens', null, ({ cold }) => cold.promptTokens / streams, 0)
  compare('cached share of repeated prompts', null, ({ warm }) => warm.cachedTokens / warm.promptTokens, 2)
}
