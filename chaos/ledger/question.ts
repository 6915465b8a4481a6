/** A client's request. The upstream follows it exactly, so that the cost of an answer is known. */
export type Question = {
  id: string
  /** Tokens of each choice. */
  tokens: number
  /** Delay between two tokens; 0: as fast as they are read. */
  paceMs: number
  tokenBytes: number
  promptTokens: number
  cachedTokens: number
  /** The upstream breaks off after this many tokens. */
  breaksAfter: number | null
}

export const questionText = (question: Question): string => JSON.stringify(question)

/** Sound because only our clients call this upstream, and they write nothing else. */
export const readQuestion = (text: string): Question => JSON.parse(text) as Question

/** Every token of the run is unique: it names its upstream answer and its position in it. */
export const tokenText = (run: number, number: number, bytes: number): string =>
  `${`r${run}.${number}`.padEnd(bytes - 1, '~')} `

export const readTokens = (text: string): { run: number; number: number }[] =>
  [...text.matchAll(/r(\d+)\.(\d+)~* /g)].map(([, run, number]) => ({ run: Number(run), number: Number(number) }))
