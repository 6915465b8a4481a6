import { setTimeout as after } from 'node:timers/promises'
import type { CallRecord, Case } from './evidence.ts'
import type { GatewayKey } from './gateway.ts'
import type { Fault, ScriptedQuestion } from './question-text.ts'
import { largeBudget, type SettledKey, type Stage } from './stage.ts'

/** One row of the report. `what` says what happens; the same for every gateway. */
export type Scenario = {
  readonly name: string
  readonly what: string
  /** Part of a short run. */
  readonly isQuick: boolean
  run(stage: Stage): Promise<Case[]>
}

/** Each client has a key and a question of its own. */
const eachClient = async (
  stage: Stage,
  asked: (index: number) => { fault?: Fault; words: number; paceMs: number },
  calls: (key: GatewayKey, question: ScriptedQuestion, index: number) => Promise<CallRecord[]>,
): Promise<SettledKey[]> => {
  const keys: GatewayKey[] = []
  for (let index = 0; index < stage.clients; index += 1) keys.push(await stage.gateway.createKey(largeBudget))
  return Promise.all(
    keys.map(async (key, index) => ({
      key,
      calls: await calls(key, stage.question(asked(index)), index),
      limit: null,
    })),
  )
}

/** Alternates between the faults. */
const upstreamFaults =
  (...faults: readonly Fault[]): Scenario['run'] =>
  async (stage) =>
    stage.settle(
      await eachClient(
        stage,
        (index) => ({ fault: faults[index % faults.length] ?? 'none', words: 60, paceMs: 10 }),
        async (key, question) => [await stage.call(key, question)],
      ),
    )

const killedWords = 120

/** Kills the gateway when two thirds of every answer have been sent, or when there is nothing left to kill. */
const killAndRestart = async (
  { gateway, upstream }: Stage,
  questions: readonly ScriptedQuestion[],
  ended: Promise<unknown>,
): Promise<void> => {
  const ids = questions.map(({ id }) => id)
  await Promise.race([upstream.hasSent(ids, Math.floor((killedWords * 2) / 3)), ended])
  await gateway.kill()
  await ended
  await gateway.restart()
}

const killed =
  (isRetried: boolean): Scenario['run'] =>
  async (stage) => {
    const options = (question: ScriptedQuestion) => (isRetried ? { idempotencyKey: `report-${question.id}` } : {})
    const clients: { key: GatewayKey; question: ScriptedQuestion }[] = []
    for (let index = 0; index < stage.clients; index += 1)
      clients.push({
        key: await stage.gateway.createKey(largeBudget),
        question: stage.question({ words: killedWords, paceMs: 30 }),
      })
    const first = Promise.all(clients.map(({ key, question }) => stage.call(key, question, options(question))))
    await killAndRestart(
      stage,
      clients.map(({ question }) => question),
      first,
    )
    const calls = await first
    return stage.settle(
      await Promise.all(
        clients.map(async ({ key, question }, index) => ({
          key,
          calls: [
            ...calls.slice(index, index + 1),
            ...(isRetried ? await retry(() => stage.call(key, question, options(question))) : []),
          ],
          limit: null,
        })),
      ),
    )
  }

const [maxRetries, retryMs] = [10, 1_000]

const retry = async (call: () => Promise<CallRecord>): Promise<CallRecord[]> => {
  const calls: CallRecord[] = []
  while (calls.length < maxRetries && calls.at(-1)?.how !== 'complete') {
    if (calls.length > 0) await after(retryMs)
    calls.push(await call())
  }
  return calls
}

const budget = 3_000
const [limitedWords, rate] = [100, 10]

/** All clients share one key. */
const atOnce = (stage: Stage, key: GatewayKey, count: number, words: number, paceMs: number): Promise<CallRecord[]> =>
  Promise.all(
    Array.from({ length: count }, () => stage.call(key, stage.question({ words, paceMs }), { maxTokens: words })),
  )

const windowMs = 60_000

/** The rate of a gateway may count what came before this scenario. */
const quietMinute = (): Promise<unknown> => after(windowMs + 1_000)

export const scenarios: readonly Scenario[] = [
  {
    name: 'No fault',
    what: 'Every client asks for one stream and one JSON answer, and reads both to the end.',
    isQuick: true,
    run: async (stage) =>
      stage.settle(
        await eachClient(
          stage,
          () => ({ words: 60, paceMs: 5 }),
          async (key, question) => [
            await stage.call(key, question),
            await stage.call(key, stage.question({ words: 40, paceMs: 5 }), { stream: false }),
          ],
        ),
      ),
  },
  {
    name: 'Client leaves',
    what: 'Every client closes its connection after about a third of a stream.',
    isQuick: true,
    run: async (stage) =>
      stage.settle(
        await eachClient(
          stage,
          () => ({ words: 60, paceMs: 20 }),
          async (key, question) => [await stage.call(key, question, { leaveAfter: 20 })],
        ),
      ),
  },
  {
    name: 'Gateway killed',
    what: 'SIGKILL of the gateway when two thirds of every stream (3.6 seconds long) have been sent; restarted.',
    isQuick: true,
    run: killed(false),
  },
  {
    name: 'Gateway killed, request repeated',
    what: 'The same, and every client sends its request again with the same Idempotency-Key until it is answered.',
    isQuick: true,
    run: killed(true),
  },
  {
    name: 'Upstream breaks off',
    what: 'In the middle of every stream the upstream resets the connection, or ends the response. Asked again, it answers.',
    isQuick: true,
    run: upstreamFaults('cut', 'end'),
  },
  {
    name: 'Upstream sends an error',
    what: 'In the middle of every stream the upstream sends an error event, or garbage. Asked again, it answers.',
    isQuick: false,
    run: upstreamFaults('error', 'garbage'),
  },
  {
    name: 'Upstream refuses',
    what: 'The upstream answers every request with 503 or with 429. Asked again, it answers.',
    isQuick: false,
    run: upstreamFaults('status', 'busy'),
  },
  {
    name: 'Upstream hangs',
    what: 'The upstream says nothing at all, or nothing more in the middle of a stream. Asked again, it answers.',
    isQuick: false,
    run: upstreamFaults('hang', 'stall'),
  },
  {
    name: 'Same request three times',
    what: 'Every client sends the same request twice at once and once more afterwards, with one Idempotency-Key.',
    isQuick: true,
    run: async (stage) =>
      stage.settle(
        await eachClient(
          stage,
          () => ({ words: 40, paceMs: 10 }),
          async (key, question) => {
            const call = (): Promise<CallRecord> =>
              stage.call(key, question, { idempotencyKey: `report-${question.id}` })
            return [...(await Promise.all([call(), call()])), await call()]
          },
        ),
      ),
  },
  {
    name: 'Budget, all at once',
    what: `40 requests of up to ${limitedWords} tokens at once, with a key that has a budget of ${budget} tokens; repeated with new keys, and added up.`,
    isQuick: true,
    async run(stage) {
      const keys: SettledKey[] = []
      for (let round = 0; round < stage.rounds; round += 1) {
        const key = await stage.gateway.createKey({ tokens: budget, requestsPerMinute: 0 })
        const calls = await atOnce(stage, key, 40, limitedWords, 10)
        keys.push({ key, calls, limit: { kind: 'tokens', amount: budget } })
      }
      return stage.settle(keys)
    },
  },
  {
    name: 'Budget, gateway killed',
    what: `20 streams with a key that has a budget of ${budget} tokens; SIGKILL in the middle of them; after the restart 40 more.`,
    isQuick: false,
    async run(stage) {
      const key = await stage.gateway.createKey({ tokens: budget, requestsPerMinute: 0 })
      const questions = Array.from({ length: 20 }, () => stage.question({ words: killedWords, paceMs: 30 }))
      const first = Promise.all(questions.map((question) => stage.call(key, question, { maxTokens: killedWords })))
      // Some of them are refused. The others are in the middle of their answers by then.
      await Promise.race([first, after(2_500)])
      await stage.gateway.kill()
      await first
      await stage.gateway.restart()
      const calls = [...(await first), ...(await atOnce(stage, key, 40, limitedWords, 10))]
      return stage.settle([{ key, calls, limit: { kind: 'tokens', amount: budget } }])
    },
  },
  {
    name: 'Rate, all at once',
    what: `30 requests at once, with a limit of ${rate} requests a minute.`,
    isQuick: true,
    async run(stage) {
      const key = await stage.gateway.createKey({ tokens: 100_000, requestsPerMinute: rate })
      const calls = await atOnce(stage, key, 30, 20, 5)
      return stage.settle([{ key, calls, limit: { kind: 'requests', amount: rate } }])
    },
  },
  {
    name: 'Rate, gateway killed',
    what: `The same; then SIGKILL, and after the restart 30 more requests within the same minute.`,
    isQuick: false,
    async run(stage) {
      await quietMinute()
      const key = await stage.gateway.createKey({ tokens: 100_000, requestsPerMinute: rate })
      const startedMs = performance.now()
      const before = await atOnce(stage, key, 30, 20, 5)
      await stage.gateway.kill()
      await stage.gateway.restart()
      const after = await atOnce(stage, key, 30, 20, 5)
      if (performance.now() - startedMs > windowMs) throw new Error('the minute was over: run it again')
      return stage.settle([{ key, calls: [...before, ...after], limit: { kind: 'requests', amount: rate } }])
    },
  },
]
