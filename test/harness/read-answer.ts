import { createOutputParser } from '../../src/api/chat-completions/output/output-parser.ts'

type ReadOptions = {
  stops?: readonly string[]
  mostCalls?: number
  reasoning?: boolean
  logprobs?: boolean
}

/** Everything that an answer reader tells of these tokens, put together. */
export const readAnswer = (tokens: readonly Uint8Array[], options: ReadOptions = {}) => {
  const { stops = [], mostCalls = 0, reasoning = false, logprobs = false } = options
  let ids = 0
  const newCallId = (): string => {
    ids += 1
    return `call_${ids}`
  }
  const reader = createOutputParser({ stops, mostCalls, reasoning, logprobs, newCallId })
  const joined = { content: '', reasoning: '', calls: [] as { id: string; name: string; arguments: string }[] }
  const told: Uint8Array[] = []
  const spoken: string[] = []
  const take = (pieces: ReturnType<typeof reader.flush>['pieces']): void => {
    for (const piece of pieces) {
      if (piece.type === 'content') {
        joined.content += piece.text
        spoken.push(piece.text)
        told.push(...piece.tokens.map(({ bytes }) => bytes))
      } else if (piece.type === 'reasoning') joined.reasoning += piece.text
      else if (piece.type === 'call') {
        if (piece.index !== joined.calls.length) throw new Error('calls are not counted in order')
        joined.calls.push({ id: piece.id, name: piece.name, arguments: '' })
      } else {
        const call = joined.calls[piece.index]
        if (call === undefined || piece.index !== joined.calls.length - 1) throw new Error('arguments without a call')
        call.arguments += piece.text
      }
    }
  }
  let stopped = false
  for (const [index, bytes] of tokens.entries()) {
    const logprob = { logprob: -index, rank: 0, top: [] }
    const step = reader.push(logprobs ? { bytes, logprob } : { bytes })
    take(step.pieces)
    stopped = step.stopped
    if (stopped) break
  }
  if (!stopped) {
    const end = reader.flush()
    take(end.pieces)
    stopped = end.stopped
  }
  return { ...joined, stopped, spoken, told: Buffer.concat(told).toString('hex'), calls: joined.calls }
}
