import type { Case } from './evidence.ts'

/** When each token first reached a client, in that order. Retries and resumed streams repeat some of them. */
export const receivedTokens = ({ calls }: Pick<Case, 'calls'>): number[] => {
  const firsts = new Map<string, number>()
  for (const { run, number, at } of calls.flatMap(({ received }) => received)) {
    const token = `${run}.${number}`
    firsts.set(token, Math.min(at, firsts.get(token) ?? at))
  }
  return [...firsts.values()].sort((a, b) => a - b)
}
