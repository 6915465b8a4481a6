/**
 * `npm run bench -- sampling`: CPU of choosing a token from logits, against llama.cpp's own sampler chain on the same
 * logits in the same process, in turns. Distributions as a model gives them and as flat as can be, three sizes of vocabulary.
 */

import { createRandom } from '../src/engine/embedded/sampling/random.ts'
import { type Filters, sampleToken } from '../src/engine/embedded/sampling/sample-token.ts'
import { tokenLogprob } from '../src/engine/embedded/sampling/token-logprob.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { createLlamaChain } from './sampling-llama-chain.ts'

const rounds = 9
const tokensEach = 60
const vocabularies = [45_056, 152_064, 256_000]
const maxRatio = 1.1

const random = createRandom(1)
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const distributions: Record<string, (tokens: number) => Float32Array> = {
  /** A handful of likely tokens far above the rest. */
  peaked: (tokens) => {
    const logits = Float32Array.from({ length: tokens }, () => normal() * 2.5)
    for (let rank = 0; rank < 5; rank += 1) logits[(rank * 7919) % tokens] = 14 + rank
    return logits
  },
  /** Nearly the same for all tokens. */
  flat: (tokens) => Float32Array.from({ length: tokens }, () => normal() * 0.5),
}

const open: Filters = { temperature: 1, topP: 1, topK: 0, minP: 0 }
const settings: Record<string, Filters> = {
  'temperature 0': { ...open, temperature: 0 },
  'temperature 1': open,
  'temperature 2': { ...open, temperature: 2 },
  'top_p 0.95': { ...open, topP: 0.95 },
  'top_k 40, top_p 0.95': { ...open, topK: 40, topP: 0.95 },
  'min_p 0.05': { ...open, minP: 0.05 },
}

/** CPU microseconds for each token. */
const measure = async (sample: () => void): Promise<number> => {
  const before = process.cpuUsage()
  for (let token = 0; token < tokensEach; token += 1) sample()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / tokensEach
}

const compare = async (part: string, sample: () => void, chain: () => void): Promise<void> => {
  const turns = { ours: () => measure(sample), reference: () => measure(chain) }
  await takeTurns(3, turns) // The first rounds include JIT compilation.
  const results = await takeTurns(rounds, turns)
  const ratio = ratioSpread(results.ours, results.reference)
  report({
    bench: 'sampling',
    ratio,
    target: `at most ${maxRatio} times llama.cpp's own chain`,
    met: ratio.median <= maxRatio,
    rounds,
    figures: { part, microsPerToken: spreadOf(results.ours), chainMicrosPerToken: spreadOf(results.reference) },
  })
}

for (const tokens of vocabularies)
  for (const [shape, create] of Object.entries(distributions)) {
    const logits = create(tokens)
    const drawn = createRandom(7)
    for (const [name, filters] of Object.entries(settings)) {
      const chain = createLlamaChain(logits, filters)
      await compare(`${tokens} ${shape}, ${name}`, () => sampleToken(logits, filters, drawn), chain.sample)
      chain.free()
    }
    const chain = createLlamaChain(logits, open)
    const none = new Uint8Array()
    const withLogprobs = (): void => {
      const id = sampleToken(logits, open, drawn) ?? 0
      tokenLogprob(logits, id, 20, () => none)
    }
    await compare(`${tokens} ${shape}, temperature 1 and 20 log probabilities`, withLogprobs, chain.sample)
    chain.free()
  }
