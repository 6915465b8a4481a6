/** What a client wants to hear. The upstream does as it says, so that everybody can know what an answer must have cost. */
export type Question = {
  id: string
  /** Tokens of each choice. */
  tokens: number
  /** Between two tokens; 0: as fast as they are read. */
  paceMs: number
  tokenBytes: number
  promptTokens: number
  cachedTokens: number
  /** The upstream breaks off after so many tokens. */
  breaksAfter: number | null
}

export const questionText = (question: Question): string => JSON.stringify(question)

/** True because nobody but our clients asks this upstream, and they write nothing else. */
export const readQuestion = (text: string): Question => JSON.parse(text) as Question

/** Every token of the whole run is another one: it names the upstream's answer it belongs to, and its place in there. */
export const tokenText = (run: number, number: number, bytes: number): string =>
  `${`r${run}.${number}`.padEnd(bytes - 1, '~')} `

export const readTokens = (text: string): { run: number; number: number }[] =>
  [...text.matchAll(/r(\d+)\.(\d+)~* /g)].map(([, run, number]) => ({ run: Number(run), number: Number(number) }))
