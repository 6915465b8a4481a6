import { Agent } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { type ApiKey, ask, type CallOutcome } from './ask.ts'
import type { Address, Gate } from './gate.ts'
import type { ClientEntry, Journal } from './journal.ts'
import { createKeyRing } from './key-ring.ts'
import { choosePlan, type Plan } from './plan.ts'
import type { Random } from './random.ts'

type ClientOptions = {
  name: string
  random: Random
  apiKeys: readonly ApiKey[]
  gate: Gate
  journal: Journal<ClientEntry>
}

type Asked = { plan: Plan; questionId: string; apiKey: ApiKey }

/** Pause between two questions, and before retrying a refused one. */
const restMs = 15
/** A server that always refuses must not block the run for ever. */
const maxRefusals = 100

/** One client: asks one question after another, in every supported way, until stopped. */
export const runClient = async ({ name, random, apiKeys, gate, journal }: ClientOptions): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  const keyRing = createKeyRing(apiKeys)
  const answered: Asked[] = []
  let calls = 0

  const askOnce = async (
    { plan, questionId, apiKey }: Asked,
    { url, life }: Address,
    ways: { lastEventId: string | null; leave: Plan['leave'] },
  ): Promise<CallOutcome> => {
    calls += 1
    const { stream, choices, includeUsage, pauseMs } = plan
    const received = await ask(
      {
        name: `${name}-${calls}`,
        url,
        life,
        apiKey,
        question: { id: questionId, ...plan.question },
        idempotencyKey: plan.isKeyed ? questionId : null,
        stream,
        choices,
        includeUsage,
        pauseMs,
        ...ways,
      },
      agent,
      journal,
    )
    if (received.requestId === null) keyRing.letRest(apiKey, life)
    return received
  }

  const askUntilAnswered = async (asked: Asked, first: Address): Promise<void> => {
    let lastEventId: string | null = null
    let refusals = 0
    for (let attempt = 0; refusals < maxRefusals; attempt += 1) {
      const address = attempt === 0 ? first : await gate.address()
      // A client that has left once usually stays for the rest.
      const leave = attempt === 0 || random.chance(0.2) ? asked.plan.leave : null
      const once = (): Promise<CallOutcome> => askOnce(asked, address, { lastEventId, leave })
      const [received, twin] = await Promise.all([once(), ...(asked.plan.hasTwin && attempt === 0 ? [once()] : [])])
      if (received.how === 'complete' || twin?.how === 'complete') {
        answered.push(asked)
        return
      }
      if (received.how === 'left' && asked.plan.staysAway) return
      if (received.how === 'refused' || received.how === 'failed') {
        refusals += 1
        await after(restMs)
      }
      const canResume = (received.how === 'left' || received.how === 'broken') && random.chance(0.7)
      lastEventId = canResume ? (received.receivedEventId ?? lastEventId) : null
    }
  }

  const askSomething = async (address: Address): Promise<void> => {
    const old = random.chance(0.06) ? answered[random.integer(0, answered.length - 1)] : undefined
    if (old !== undefined && !keyRing.rests(old.apiKey, address.life)) {
      await askOnce(old, address, { lastEventId: null, leave: null })
      return
    }
    const apiKey = keyRing.choose(address.life)
    if (apiKey === null) return
    const asked = { plan: choosePlan(random), questionId: `q${name}-${calls + 1}`, apiKey }
    if (asked.plan.isKeyed) return askUntilAnswered(asked, address)
    await askOnce(asked, address, { lastEventId: null, leave: asked.plan.leave })
  }

  while (!gate.isClosing()) {
    await askSomething(await gate.address())
    await after(random.integer(0, restMs))
  }
  agent.destroy()
}
