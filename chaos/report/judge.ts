import type { CallRecord, Case, RunRecord } from './evidence.ts'

/** Tokens are those of answers, except where it is said. Zero is right everywhere below the line. */
export type Judgement = {
  calls: number
  complete: number
  /** An error instead of an answer, in the middle of it, or a connection that broke: the client knows. */
  errors: number
  left: number
  sentTokens: number
  receivedTokens: number
  billedTokens: number
  // ————
  /** Received, but not billed. */
  lostTokens: number
  /** Billed again for the same Idempotency-Key. */
  twiceTokens: number
  /** Billed, but neither received nor, if the client left, sent by the upstream. */
  excessTokens: number
  /** Taken from the budget of the key without a record. */
  heldTokens: number
  /** Above the limit of the key: requests, or tokens of prompts and answers. Null if no limit was tested. */
  over: number | null
  /** Calls that hung, or ended as if all were well with something else than the answer. */
  wrongAnswers: number
}

/** Compares what the gateway billed with what the clients received. It knows nothing else of the gateway. */
export const judge = (cases: readonly Case[]): Judgement => {
  const judgements = cases.map(judgeCase)
  const sum = (field: Exclude<keyof Judgement, 'over'>): number =>
    judgements.reduce((total, judgement) => total + judgement[field], 0)
  const overs = judgements.flatMap(({ over }) => over ?? [])
  return {
    ...{ calls: sum('calls'), complete: sum('complete'), errors: sum('errors'), left: sum('left') },
    ...{ sentTokens: sum('sentTokens'), receivedTokens: sum('receivedTokens'), billedTokens: sum('billedTokens') },
    ...{ lostTokens: sum('lostTokens'), twiceTokens: sum('twiceTokens'), excessTokens: sum('excessTokens') },
    heldTokens: sum('heldTokens'),
    over: overs.length === 0 ? null : overs.reduce((total, over) => total + over, 0),
    wrongAnswers: sum('wrongAnswers'),
  }
}

const judgeCase = ({ calls, runs, account, limit }: Case): Judgement => {
  const due = dueOf(calls, runs)
  const billed = account.completionTokens
  const aboveDue = Math.max(0, billed - due.max)
  const isKeyed = calls.some((call) => call.isKeyed)
  const recordedTokens = account.promptTokens + account.completionTokens
  const isLimited = limit !== null
  return {
    calls: calls.length,
    complete: calls.filter(({ how }) => how === 'complete').length,
    errors: calls.filter(({ how }) => how === 'refused' || how === 'failed' || how === 'broken').length,
    left: calls.filter(({ how }) => how === 'left').length,
    sentTokens: runs.reduce((sum, { sentTokens }) => sum + sentTokens, 0),
    receivedTokens: calls.reduce((sum, { receivedTokens }) => sum + receivedTokens, 0),
    billedTokens: billed,
    lostTokens: Math.max(0, due.min - billed),
    twiceTokens: isKeyed ? aboveDue : 0,
    excessTokens: isKeyed ? 0 : aboveDue,
    heldTokens: Math.max(0, account.chargedTokens - recordedTokens),
    over: limit === null ? null : Math.max(0, usedOf(calls, limit.kind) - limit.amount),
    wrongAnswers: calls.filter((call) => isWrong(call, isLimited)).length,
  }
}

/** The least and the most that may be billed for the answers. */
const dueOf = (calls: readonly CallRecord[], runs: readonly RunRecord[]): { min: number; max: number } => {
  const due = { min: 0, max: 0 }
  for (const [question, same] of Map.groupBy(calls, (call) => call.question)) {
    const received = same.map(({ receivedTokens }) => receivedTokens)
    if (same.some(({ isKeyed }) => isKeyed)) {
      // A replay costs nothing. What a broken attempt delivered may be billed beside the whole answer.
      due.min += Math.max(...received)
      due.max +=
        sumOf(same.filter(({ how }) => how !== 'complete')) +
        Math.max(0, ...same.filter(({ how }) => how === 'complete').map(({ receivedTokens }) => receivedTokens))
      continue
    }
    due.min += sumOf(same)
    // What was on its way to a client that left may be billed.
    const sent = runs.filter((run) => run.question === question).reduce((sum, { sentTokens }) => sum + sentTokens, 0)
    due.max += same.some(({ how }) => how === 'left') ? Math.max(sumOf(same), sent) : sumOf(same)
  }
  return due
}

const sumOf = (calls: readonly CallRecord[]): number =>
  calls.reduce((sum, { receivedTokens }) => sum + receivedTokens, 0)

/** What the clients of a key got: answers that began, or their tokens with those of their prompts. */
const usedOf = (calls: readonly CallRecord[], kind: 'tokens' | 'requests'): number => {
  const answered = calls.filter(({ receivedTokens }) => receivedTokens > 0)
  if (kind === 'requests') return answered.length
  return answered.reduce((sum, { promptTokens, receivedTokens }) => sum + promptTokens + receivedTokens, 0)
}

const isWrong = (call: CallRecord, isLimited: boolean): boolean => {
  if (!call.isGenuine || call.how === 'silent') return true
  // Clients stop at an error, whatever comes after it.
  if (call.how === 'failed') return false
  if (call.malformed > 0) return true
  // Most clients take the end of the response for the end of the answer.
  const looksComplete = call.how === 'complete' || (call.how === 'broken' && call.hasEnded)
  if (!looksComplete || call.receivedTokens === call.answerTokens) return false
  // At the end of a budget an answer may be cut short, if it says so.
  return !(isLimited && call.finishReason === 'length')
}
