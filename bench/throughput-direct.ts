import { tokensPerSecond } from './measure.ts'
import { likeliestToken, openDirect } from './open-direct.ts'

/**
 * The reference for `throughput`: the same number of tokens and concurrent sequences, directly from llama.cpp, one token
 * of every unfinished sequence in each step.
 */
type Order = { question: string; answerTokens: number[] }
type Stream = { sequence: number; position: number; nextToken: number; leftTokens: number; arrivalsMs: number[] }

const llama = await openDirect()

const begin = async (question: string, sequence: number, answerTokens: number): Promise<Stream> => {
  const tokens = llama.vocabulary.tokenise(question, { special: false, continued: false })
  llama.keep(sequence, 0)
  let nextToken = -1
  await llama.decode([{ sequence, position: 0, tokens, isSampled: true }], (_, logits) => {
    nextToken = likeliestToken(logits())
  })
  return {
    sequence,
    position: tokens.length,
    nextToken,
    leftTokens: answerTokens - 1,
    arrivalsMs: [performance.now()],
  }
}

process.on('message', async ({ question, answerTokens }: Order) => {
  const streams: Stream[] = []
  for (const [sequence, tokens] of answerTokens.entries()) streams.push(await begin(question, sequence, tokens))
  for (;;) {
    const running = streams.filter(({ leftTokens }) => leftTokens > 0)
    if (running.length === 0) break
    await llama.decode(
      running.map(({ sequence, position, nextToken }) => ({
        sequence,
        position,
        tokens: [nextToken],
        isSampled: true,
      })),
      (index, logits) => {
        const stream = running[index]
        if (stream === undefined) return
        stream.nextToken = likeliestToken(logits())
        stream.position += 1
        stream.leftTokens -= 1
        stream.arrivalsMs.push(performance.now())
      },
    )
  }
  process.send?.(tokensPerSecond(streams.map(({ arrivalsMs }) => arrivalsMs)))
})
