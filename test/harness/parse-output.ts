import { OutputParser } from '../../src/api/generation/output/output-parser.ts'

type ReadOptions = {
  stops?: readonly string[]
  maxCalls?: number
  reasoning?: boolean
  logprobs?: boolean
}

/** The joined result of parsing these tokens. */
export const parseOutput = (tokens: readonly Uint8Array[], options: ReadOptions = {}) => {
  const { stops = [], maxCalls = 0, reasoning = false, logprobs = false } = options
  let ids = 0
  const newCallId = (): string => {
    ids += 1
    return `call_${ids}`
  }
  const parser = new OutputParser({ stops, maxCalls, reasoning, logprobs, newCallId })
  const joined = { content: '', reasoning: '', calls: [] as { id: string; name: string; arguments: string }[] }
  const logprobBytes: Uint8Array[] = []
  const contentPieces: string[] = []
  const add = (pieces: ReturnType<typeof parser.flush>['pieces']): void => {
    for (const piece of pieces) {
      if (piece.type === 'content') {
        joined.content += piece.text
        contentPieces.push(piece.text)
        logprobBytes.push(...piece.tokens.map(({ bytes }) => bytes))
      } else if (piece.type === 'reasoning') joined.reasoning += piece.text
      else if (piece.type === 'call') {
        if (piece.index !== joined.calls.length) throw new Error('calls are not counted in order')
        joined.calls.push({ id: piece.id, name: piece.name, arguments: '' })
      } else if (piece.type === 'arguments') {
        const call = joined.calls[piece.index]
        if (call === undefined || piece.index !== joined.calls.length - 1) throw new Error('arguments without a call')
        call.arguments += piece.text
      }
    }
  }
  let stopped = false
  for (const [index, bytes] of tokens.entries()) {
    const logprob = { logprob: -index, rank: 0, top: [] }
    const step = parser.push(logprobs ? { bytes, logprob } : { bytes })
    add(step.pieces)
    stopped = step.stopped
    if (stopped) break
  }
  if (!stopped) {
    const end = parser.flush()
    add(end.pieces)
    stopped = end.stopped
  }
  return { ...joined, stopped, contentPieces, logprobBytes: Buffer.concat(logprobBytes).toString('hex') }
}
