import { fork } from 'node:child_process'
import { once } from 'node:events'
import { launchHelix } from './launch-helix.ts'
import { ratioSpread, report, spreadOf, tokensPerSecond } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

/**
 * Tokens per second through the HTTP API, for one and for several concurrent streams, against a script that drives
 * llama.cpp directly in the same context and generates as many tokens per stream. It shows our own overhead per token
 * and has no target. Each piece of text counts as one token, which holds for English.
 */
const rounds = 5
const several = 4
const maxTokens = 96
const limitMs = 400_000
const question = 'Tell me a long story about a journey around the world, with many places and people in it.'

const signal = AbortSignal.timeout(limitMs)
// One caller measures all slots.
const helix = await launchHelix(signal, { HELIX_RESERVED_SLOTS: '0' })
const direct = fork(new URL('./throughput-direct.ts', import.meta.url), { signal })

type Rates = { http: number[]; direct: number[] }

const parseOutput = async (): Promise<number[]> => {
  const arrivalsMs: number[] = []
  const answer = await askChat(helix, { content: question, maxTokens }, signal)
  for await (const _ of readTexts(answer)) arrivalsMs.push(performance.now())
  return arrivalsMs
}

const measure = async (streams: number, rates: Rates): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: streams }, parseOutput))
  const answered = once(direct, 'message', { signal })
  direct.send({ question, answerTokens: answers.map(({ length }) => length) })
  rates.http.push(tokensPerSecond(answers))
  rates.direct.push(Number((await answered)[0]))
}

try {
  await helix.reachedMs('engine_ready')
  await measure(several, { http: [], direct: [] })
  const one: Rates = { http: [], direct: [] }
  const many: Rates = { http: [], direct: [] }
  for (let round = 0; round < rounds; round += 1) {
    await measure(1, one)
    await measure(several, many)
  }
  report({
    bench: 'throughput',
    ratio: ratioSpread(one.http, one.direct),
    target: null,
    met: null,
    rounds,
    figures: {
      [`ratioFor${several}`]: ratioSpread(many.http, many.direct),
      tokensPerSecond: spreadOf(one.http),
      directTokensPerSecond: spreadOf(one.direct),
      [`tokensPerSecondFor${several}`]: spreadOf(many.http),
      [`directTokensPerSecondFor${several}`]: spreadOf(many.direct),
    },
  })
} finally {
  direct.disconnect()
  await helix.close()
}
