import { describe, expect, test } from 'vitest'
import { claimServer, openBrowser } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'

const email = 'owner@example.com'

describe.skipIf(!hasCluster)('guessing passwords at several nodes', () => {
  test('gets no more attempts than at one, and the owner still signs in from a browser that has before', async () => {
    const { node } = await startCluster({ nodes: 2 })
    const owner = await claimServer(node(1))
    expect((await owner.signIn(email)).status).toBe(200)
    const guessers = await Promise.all([openBrowser(node(1).url), openBrowser(node(2).url)])
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess += 1)
      for (const guesser of guessers) statuses.push((await guesser.signIn(email, `guess number ${guess}`)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    // Two nodes that count for themselves allow twenty. On a slow machine a few come back meanwhile.
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(15)
    expect(statuses).toContain(429)

    const elsewhere = await openBrowser(node(2).url)
    for (const [name, value] of owner.cookies) elsewhere.cookies.set(name, value)
    await elsewhere.load()
    expect((await elsewhere.signIn(email)).status).toBe(200)
  })
})
