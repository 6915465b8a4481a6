import { Agent } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ask } from '../upstreams/ask.ts'
import { promptTokensOf } from '../upstreams/question.ts'
import type { Account, CallRecord, Case, Limit } from './evidence.ts'
import type { Gateway, GatewayKey } from './gateway.ts'
import { countTokens, type Fault, questionId, questionText, type ScriptedQuestion } from './question-text.ts'
import type { ScriptedUpstream } from './scripted-upstream.ts'

type CallOptions = {
  stream?: boolean
  leaveAfter?: number | null
  maxTokens?: number | null
  idempotencyKey?: string
}

/** What a scenario works with. */
export type Stage = {
  readonly gateway: Gateway
  readonly upstream: ScriptedUpstream
  /** How many clients there are, where nothing else is said. */
  readonly clients: number
  /** How often a scenario is repeated whose outcome is a matter of luck. */
  readonly rounds: number
  /** A question that was never asked before. */
  question(asked: { fault?: Fault; words: number; paceMs: number }): ScriptedQuestion
  call(key: GatewayKey, question: ScriptedQuestion, options?: CallOptions): Promise<CallRecord>
  /** Waits until the accounts no longer change, and puts everything together. */
  settle(keys: readonly SettledKey[]): Promise<Case[]>
  /** Waits until a plain question is answered: what a scenario did to the upstreams must not reach into the next one. */
  recover(): Promise<void>
}

export type SettledKey = { key: GatewayKey; calls: readonly CallRecord[]; limit: Limit | null }

/** A budget that no scenario can use up. */
export const largeBudget = { tokens: 100_000, requestsPerMinute: 0 }

/** Longer than any gateway waits for an upstream here. */
const silenceMs = 25_000
const [quietMs, pollMs, maxPolls, maxProbes] = [1_500, 500, 20, 40]

type Size = Pick<Stage, 'clients' | 'rounds'>

export const createStage = (gateway: Gateway, upstream: ScriptedUpstream, size: Size): Stage => {
  let questions = 0
  const stage: Stage = {
    ...{ gateway, upstream, ...size },
    question({ fault = 'none', words, paceMs }) {
      questions += 1
      return { id: questionId(fault, questions), words, paceMs, fault }
    },
    async call(key, question, options = {}) {
      const { stream = true, leaveAfter = null, maxTokens = null, idempotencyKey } = options
      const agent = new Agent()
      const answer = await ask({
        ...{ url: gateway.url(), apiKey: key.secret, question, stream, maxTokens, leaveAfter, agent, silenceMs },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
      agent.destroy()
      const received = countTokens(question, answer.text)
      return {
        ...{ question: question.id, isKeyed: idempotencyKey !== undefined, how: answer.how, hasEnded: answer.hasEnded },
        promptTokens: promptTokensOf([questionText(question)]),
        receivedTokens: received ?? 0,
        answerTokens: Math.min(question.words, maxTokens ?? question.words),
        isGenuine: received !== null,
        ...{ finishReason: answer.finishReason, malformed: answer.malformed },
      }
    },
    settle: (keys) =>
      Promise.all(
        keys.map(async ({ key, calls, limit }): Promise<Case> => {
          const asked = new Set(calls.map(({ question }) => question))
          const account = await finalAccount(gateway, key)
          return { calls, runs: upstream.runs.filter(({ question }) => asked.has(question)), account, limit }
        }),
      ),
    async recover() {
      const key = await gateway.createKey(largeBudget)
      for (let probe = 0; probe < maxProbes; probe += 1) {
        const { how } = await stage.call(key, stage.question({ words: 1, paceMs: 0 }))
        if (how === 'complete') return
        await after(pollMs)
      }
      throw new Error('the gateway does not answer any more')
    },
  }
  return stage
}

/** A gateway may write its records a moment after the answer. */
const finalAccount = async (gateway: Gateway, key: GatewayKey): Promise<Account> => {
  await after(quietMs)
  let account = await gateway.account(key)
  for (let poll = 0, same = 0; poll < maxPolls && same < 2; poll += 1) {
    await after(pollMs)
    const next = await gateway.account(key)
    same = isDeepStrictEqual(next, account) ? same + 1 : 0
    account = next
  }
  return account
}
