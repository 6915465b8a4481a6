import { PlatformError } from '../../../platform/platform-error.ts'

/** Fewer than this are no answer worth asking for. */
const leastTokens = 16

const tokenLimits: readonly string[] = ['tokensPerMinute', 'tokensPerDay', 'tokensPerMonth']

/**
 * How long an answer may be at most so that the same request would be accepted now; null if its length is not what it was
 * refused for, or nothing worth asking for would fit. `asked` is the maximum that was sent.
 */
export const fittingAnswer = (error: unknown, asked: number | null): number | null => {
  if (!(error instanceof PlatformError)) return null
  const tokens = roomFor(error, asked)
  return tokens === null || tokens < leastTokens || (asked !== null && tokens >= asked) ? null : tokens
}

const roomFor = ({ code, limit, message }: PlatformError, asked: number | null): number | null => {
  if (code === 'context_length_exceeded') return inContext(message)
  if (limit === null || !tokenLimits.includes(limit.name)) return null
  const inMessages = promptTokensOf(message) ?? (asked === null ? null : limit.requested - asked)
  return inMessages === null ? null : limit.limit - limit.used - inMessages
}

/** The server's messages have the figures; the tests take them from its catalogue. */
const inContext = (message: string): number | null => {
  const context = /maximum context length is (\d+) tokens/.exec(message)?.[1]
  const inMessages = promptTokensOf(message)
  return context === undefined || inMessages === null ? null : Number(context) - inMessages
}

const promptTokensOf = (message: string): number | null => {
  const found = /\((\d+) in the messages,/.exec(message)?.[1]
  return found === undefined ? null : Number(found)
}
