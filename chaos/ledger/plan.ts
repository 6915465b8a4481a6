import type { Call } from './ask.ts'
import type { Question } from './question.ts'
import type { Random } from './random.ts'

/** A client's plan: a question, how to ask it, and what happens to it on the way. */
export type Plan = Pick<Call, 'stream' | 'choices' | 'includeUsage' | 'pauseMs' | 'leave'> & {
  question: Omit<Question, 'id'>
  /** With an Idempotency-Key the client retries until it is answered. */
  isKeyed: boolean
  /** Two simultaneous calls with the same key. */
  hasTwin: boolean
  /** Disconnects and does not return. */
  staysAway: boolean
}

const kinds = {
  stream: 20,
  longStream: 6,
  document: 12,
  leavesStream: 12,
  leavesDocument: 5,
  readsSlowly: 4,
  upstreamBreaks: 3,
  keyedStream: 12,
  keyedLongStream: 3,
  keyedDocument: 8,
  keyedResume: 12,
  keyedStaysAway: 3,
  keyedTwins: 6,
}

export const choosePlan = (random: Random): Plan => {
  const kind = random.pick(kinds)
  const question = chooseQuestion(random)
  const plan: Plan = {
    question,
    stream: kind !== 'document' && kind !== 'leavesDocument' && kind !== 'keyedDocument' && !random.chance(0.1),
    choices: random.chance(0.15) ? random.integer(2, 3) : 1,
    includeUsage: random.chance(0.5),
    pauseMs: 0,
    leave: null,
    isKeyed: kind.startsWith('keyed'),
    hasTwin: kind === 'keyedTwins',
    staysAway: kind === 'keyedStaysAway',
  }
  if (kind === 'longStream' || kind === 'keyedLongStream')
    return { ...plan, stream: true, choices: 1, question: long(random, question) }
  if (kind === 'upstreamBreaks') question.breaksAfter = random.integer(0, question.tokens - 1)
  if (kind === 'readsSlowly') return { ...plan, stream: true, choices: 1, pauseMs: 10, question: heavy(question) }
  const leaves = kind === 'keyedResume' || kind === 'keyedStaysAway' || kind.startsWith('leaves')
  return leaves ? { ...plan, leave: chooseLeave(random, plan.stream, question) } : plan
}

const chooseQuestion = (random: Random): Omit<Question, 'id'> => {
  const promptTokens = random.integer(1, 400)
  return {
    tokens: random.chance(0.7) ? random.integer(1, 40) : random.integer(40, 150),
    paceMs: random.integer(2, 12),
    tokenBytes: random.integer(12, 24),
    promptTokens,
    cachedTokens: random.chance(0.3) ? random.integer(0, promptTokens - 1) : 0,
    breaksAfter: null,
  }
}

/** Lasts for more than one round of progress checkpoints. */
const long = (random: Random, question: Omit<Question, 'id'>): Omit<Question, 'id'> => ({
  ...question,
  tokens: random.integer(200, 350),
  paceMs: 9,
})

/** A megabyte without a pause, so that the server has to wait for slow readers. */
const heavy = (question: Omit<Question, 'id'>): Omit<Question, 'id'> => ({
  ...question,
  tokens: 500,
  // All of them together stay below what the server takes from an upstream for the tokens it reserved.
  tokenBytes: 2_000,
  paceMs: 0,
})

const chooseLeave = (random: Random, stream: boolean, { tokens, paceMs }: Omit<Question, 'id'>): Call['leave'] =>
  stream && random.chance(0.9)
    ? { afterTokens: random.integer(1, tokens) }
    : { afterMs: random.integer(0, tokens * paceMs) }
