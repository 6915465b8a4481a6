import { fork } from 'node:child_process'
import { once } from 'node:events'
import { launchHelix } from './launch-helix.ts'
import { ratioSpread, report, spreadOf, takeTurns, tokensPerSecond } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

/**
 * Tokens a second through the HTTP API, for one stream and for several at once, against llama.cpp driven directly by a
 * script in the same context. It tells what our own way of a token costs; there is no target. A piece of text counts as a
 * token, which is true of English.
 */
const rounds = 5
const answerTokens = 96
const several = 4
const limitMs = 400_000

const signal = AbortSignal.timeout(limitMs)
const question = 'Tell me a long story about a journey around the world, with many places and people in it.'
const helix = await launchHelix(signal)
const direct = fork(new URL('./throughput-direct.ts', import.meta.url), { signal })

const overHttp = async (streams: number): Promise<number> => {
  const readAnswer = async (): Promise<number[]> => {
    const arrivalsMs: number[] = []
    const answer = await askChat(helix, { content: question, maxTokens: answerTokens }, signal)
    for await (const _ of readTexts(answer)) arrivalsMs.push(performance.now())
    return arrivalsMs
  }
  return tokensPerSecond(await Promise.all(Array.from({ length: streams }, readAnswer)))
}

const directly = async (streams: number): Promise<number> => {
  const answered = once(direct, 'message', { signal })
  direct.send({ streams, question, answerTokens })
  return Number((await answered)[0])
}

try {
  await helix.reachedMs('engine_ready')
  const turns = {
    oneDirect: () => directly(1),
    oneHttp: () => overHttp(1),
    severalDirect: () => directly(several),
    severalHttp: () => overHttp(several),
  }
  await takeTurns(1, turns)
  const { oneDirect, oneHttp, severalDirect, severalHttp } = await takeTurns(rounds, turns)
  report({
    bench: 'throughput',
    ratio: ratioSpread(oneHttp, oneDirect),
    target: null,
    met: null,
    rounds,
    figures: {
      [`ratioFor${several}`]: ratioSpread(severalHttp, severalDirect),
      tokensPerSecond: spreadOf(oneHttp),
      directTokensPerSecond: spreadOf(oneDirect),
      [`tokensPerSecondFor${several}`]: spreadOf(severalHttp),
      [`directTokensPerSecondFor${several}`]: spreadOf(severalDirect),
      answerTokens,
    },
  })
} finally {
  direct.disconnect()
  await helix.close()
}
