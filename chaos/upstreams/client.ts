import { Agent } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { Journal } from '../ledger/journal.ts'
import type { Random } from '../ledger/random.ts'
import { ask } from './ask.ts'
import type { CallEntry } from './journal.ts'

type ClientOptions = {
  name: number
  url: string
  apiKey: string
  random: Random
  journal: Journal<CallEntry>
  isOver(): boolean
}

/** Asks one question after another, as streams and as JSON; sometimes it leaves in the middle. */
export const runClient = async ({ name, url, apiKey, random, journal, isOver }: ClientOptions): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  for (let number = 1; !isOver(); number += 1) {
    const question = {
      id: `q${name * 10_000 + number}`,
      words: random.integer(5, 120),
      paceMs: random.integer(1, 8),
    }
    const stream = random.chance(0.75)
    const maxTokens = random.chance(0.15) ? random.integer(1, 60) : null
    const leaveAfter = stream && random.chance(0.08) ? random.integer(1, 20) : null
    const call = `${name}-${number}`
    journal.write({ event: 'sent', call, id: question.id, words: question.words, stream, maxTokens })
    journal.write({
      event: 'ended',
      call,
      ...(await ask({ url, apiKey, question, stream, maxTokens, leaveAfter, agent })),
    })
    await after(random.integer(0, 20))
  }
  agent.destroy()
}
