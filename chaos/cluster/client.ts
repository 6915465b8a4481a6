import { Agent } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { Journal } from '../ledger/journal.ts'
import type { Random } from '../ledger/random.ts'
import { ask } from '../upstreams/ask.ts'
import type { ClusterCallEntry } from './journal.ts'
import type { ChaosNode } from './start-node.ts'

export type ApiKey = { id: string; secret: string }

type ClientOptions = {
  name: number
  nodes: readonly ChaosNode[]
  apiKey: ApiKey
  random: Random
  journal: Journal<ClusterCallEntry>
  /** Longer for a key with low limits, which are exhausted at once otherwise. */
  pauseMs: number
  isOver(): boolean
}

/** A client that gets only errors gives up. */
const maxAttempts = 60
const retryMs = 250

/** Asks one question after another, each at any node. Those with an Idempotency-Key are asked again until they are answered. */
export const runClient = async (options: ClientOptions): Promise<void> => {
  const { name, nodes, apiKey, random, journal, pauseMs, isOver } = options
  const agent = new Agent({ keepAlive: true })
  for (let number = 1; !isOver(); number += 1) {
    const stream = random.chance(0.7)
    // An answer in one piece comes after all its words, well within the second in which an upstream has to say something.
    const paceMs = random.integer(1, stream ? 12 : 6)
    const question = { id: `q${name * 10_000 + number}`, words: random.integer(5, 90), paceMs }
    const isKeyed = random.chance(0.5)
    const leaveAfter = stream && !isKeyed && random.chance(0.08) ? random.integer(1, 20) : null
    for (let attempt = 1; attempt <= (isKeyed ? maxAttempts : 1); attempt += 1) {
      const node = random.chance(0.9)
        ? pick(
            nodes.filter((one) => one.url() !== null),
            random,
          )
        : pick(nodes, random)
      const url = node?.url() ?? null
      if (node === undefined || url === null) {
        await after(retryMs)
        continue
      }
      const call = `${name}-${number}-${attempt}`
      const { id, words } = question
      journal.write({
        ...{ event: 'sent', call, id, words, stream, maxTokens: null },
        ...{ node: node.name, life: node.life(), keyId: apiKey.id, isKeyed },
      })
      const ending = await ask({
        ...{ url, apiKey: apiKey.secret, question, stream, maxTokens: null, leaveAfter, agent },
        ...(isKeyed ? { idempotencyKey: `chaos-${id}` } : {}),
      })
      journal.write({ event: 'ended', call, ...ending })
      const isLimited = ending.code === 'insufficient_quota' || (ending.code === 'rate_limit_exceeded' && isOver())
      if (ending.how === 'complete' || isLimited) break
      await after(retryMs)
    }
    await after(random.integer(0, pauseMs))
  }
  agent.destroy()
}

const pick = (nodes: readonly ChaosNode[], random: Random): ChaosNode | undefined =>
  nodes[random.integer(0, nodes.length - 1)]
