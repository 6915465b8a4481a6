import type { LlamaContextSequence } from 'node-llama-cpp'
import { tokensPerSecond } from './measure.ts'
import { openDirect } from './open-direct.ts'

/** The reference of `throughput`: the same number of tokens from llama.cpp itself, on as many sequences at once. */
type Order = { streams: number; question: string; answerTokens: number }

const { model, context, slots } = await openDirect()
const sequences = Array.from({ length: slots }, () => context.getSequence())

const answer = async (sequence: LlamaContextSequence, { question, answerTokens }: Order): Promise<number[]> => {
  const arrivalsMs: number[] = []
  await sequence.clearHistory()
  const tokens = sequence.evaluate(model.tokenize(question), { temperature: 0, yieldEogToken: true })
  for await (const _ of tokens) if (arrivalsMs.push(performance.now()) === answerTokens) break
  return arrivalsMs
}

process.on('message', async (order: Order) => {
  const arrivalsMs = await Promise.all(sequences.slice(0, order.streams).map((sequence) => answer(sequence, order)))
  process.send?.(tokensPerSecond(arrivalsMs))
})
