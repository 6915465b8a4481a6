import type { LlamaContextSequence } from 'node-llama-cpp'
import { tokensPerSecond } from './measure.ts'
import { openDirect } from './open-direct.ts'

/** The reference for `throughput`: the same number of tokens and concurrent sequences, directly from llama.cpp. */
type Order = { question: string; answerTokens: number[] }

const { model, context, slots } = await openDirect()
const sequences = Array.from({ length: slots }, () => context.getSequence())

const answer = async (sequence: LlamaContextSequence, question: string, answerTokens: number): Promise<number[]> => {
  const arrivalsMs: number[] = []
  await sequence.clearHistory()
  const tokens = sequence.evaluate(model.tokenize(question), { temperature: 0, yieldEogToken: true })
  for await (const _ of tokens) if (arrivalsMs.push(performance.now()) >= answerTokens) break
  return arrivalsMs
}

process.on('message', async ({ question, answerTokens }: Order) => {
  const answers = sequences.flatMap((sequence, index) => {
    const tokens = answerTokens[index]
    return tokens === undefined ? [] : [answer(sequence, question, tokens)]
  })
  process.send?.(tokensPerSecond(await Promise.all(answers)))
})
