import { type Chunks, createChunks } from '../src/api/chat-completions/chunks.ts'
import { OutputParser, type OutputPiece } from '../src/api/generation/output/output-parser.ts'
import type { TokenLogprob } from '../src/engine/contract.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

/**
 * CPU per token from the engine's bytes to the text of an event: characters, stop sequences, calls and log
 * probabilities, then JSON. The reference decodes the same bytes and writes `{"content":…}`.
 */
const rounds = 15
const answers = 40
const tokensEach = 500
const texts = [' The', ' weather', ' in', ' 東', '京', ' is', ' fine', ',', ' says', ' the', ' report', '.\n']
const call = ['<tool_call>', '\n{"name": "', 'f', '", "arguments": ', '{"city": "', '京都', '"}', '}\n', '</tool_call>']

type Token = { bytes: Uint8Array; logprob?: TokenLogprob }
const tokensOf = (pieces: readonly string[]): Token[] =>
  Array.from({ length: tokensEach }, (_, index) => ({ bytes: Buffer.from(pieces[index % pieces.length] ?? '') }))
const likely = ({ bytes }: Token): Token => ({
  bytes,
  logprob: {
    logprob: -0.5,
    rank: 0,
    top: Array.from({ length: 5 }, (_, id) => ({ id, bytes, logprob: -0.5 * (id + 1) })),
  },
})

const head = {
  id: `chatcmpl-${'a'.repeat(24)}`,
  created: 1_762_992_000,
  model: 'helix-v1',
  fingerprint: 'fp_0123456789',
}
const plainTokens = tokensOf(texts)
const callTokens = tokensOf([...texts, ...call])
const likelyTokens = plainTokens.map(likely)

const options = { stops: [] as string[], maxCalls: 0, reasoning: false, logprobs: false, newCallId: () => 'call_x' }
const stops = ['\n\n', 'Observation:', '</answer>', 'END']

let written = 0
const write = (chunks: Chunks, pieces: readonly OutputPiece[]): void => {
  for (const piece of pieces) {
    if (piece.type === 'content') written += chunks.content({ choice: 0 }, piece.text, piece.tokens).length
    else if (piece.type === 'call') written += chunks.call({ choice: 0 }, piece.index, piece.id, piece.name).length
    else if (piece.type === 'arguments') written += chunks.arguments({ choice: 0 }, piece.index, piece.text).length
  }
}

/** CPU microseconds per token. */
const measure = async (answer: () => void): Promise<number> => {
  const before = process.cpuUsage()
  for (let index = 0; index < answers; index += 1) answer()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (answers * tokensEach)
}

const ours =
  (tokens: readonly Token[], own: Partial<typeof options> = {}) =>
  () =>
    measure(() => {
      const parser = new OutputParser({ ...options, ...own })
      const chunks = createChunks(head, { includeUsage: false, obfuscate: false, logprobs: own.logprobs ?? false })
      for (const token of tokens) write(chunks, parser.push(token).pieces)
      write(chunks, parser.flush().pieces)
    })
const reference = () =>
  measure(() => {
    const decoder = new TextDecoder()
    for (const { bytes } of plainTokens)
      written += JSON.stringify({ content: decoder.decode(bytes, { stream: true }) }).length
  })

const turns = {
  reference,
  plain: ours(plainTokens),
  stops: ours(plainTokens, { stops }),
  tools: ours(callTokens, { maxCalls: Number.POSITIVE_INFINITY }),
  logprobs: ours(likelyTokens, { logprobs: true }),
}
await takeTurns(3, turns) // The first rounds include JIT compilation.
const results = await takeTurns(rounds, turns)
if (written === 0) throw new Error('nothing was written')

report({
  bench: 'deltas',
  ratio: ratioSpread(results.plain, results.reference),
  target: null,
  met: null,
  rounds,
  figures: {
    referenceMicrosPerToken: spreadOf(results.reference),
    plainMicrosPerToken: spreadOf(results.plain),
    stopsMicrosPerToken: spreadOf(results.stops),
    toolsMicrosPerToken: spreadOf(results.tools),
    logprobsMicrosPerToken: spreadOf(results.logprobs),
    ratioStops: ratioSpread(results.stops, results.reference),
    ratioTools: ratioSpread(results.tools, results.reference),
    ratioLogprobs: ratioSpread(results.logprobs, results.reference),
    answers,
    tokensEach,
    topLogprobs: 5,
  },
})
