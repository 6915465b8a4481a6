import { describe, expect, test } from 'vitest'
import { callerWith } from '../../../test/harness/open-limiter.ts'
import { openLimiterNodes } from '../../../test/harness/redis/open-limiter-nodes.ts'
import { startedRedis } from '../../../test/harness/redis/started-redis.ts'
import { ApiError } from '../../base/api-error.ts'

const { url } = (await startedRedis()) ?? { url: '' }

const tokens = { promptTokens: 1, completionTokens: 0, model: 'helix-v1' }

const errorName = (error: unknown): string => (error instanceof ApiError ? error.errorName : 'another')

/** Its question is on its way, and the answer cannot have arrived: nothing is received between promises. */
const isAsked = async (): Promise<void> => {
  for (let step = 0; step < 50; step += 1) await Promise.resolve()
}

/**
 * One node whose limit of eight is used up by requests that are not admitted yet: two of them wait, so that Redis knows them only from
 * the questions of this node.
 */
const openFull = async () => {
  const nodes = await openLimiterNodes(url, { nodes: 1 })
  const { it } = nodes
  const caller = callerWith({ requestsPerMinute: 8 })
  const ask = () => it.precheck(caller)
  // From then on the counters are known here.
  await it.begin(caller, 1)
  const waiting = [await ask(), await ask()]
  const entering = [await ask(), await ask(), await ask(), await ask(), await ask()]
  return { ...nodes, ask, waiting, entering }
}

describe.skipIf(url === '')('requests that Redis refuses because others wait', () => {
  test('a request that is checked gets the error of the limit, although none waits any more when the answer arrives', async () => {
    await using nodes = await openFull()
    const refused = nodes.ask().then(() => 'none', errorName)
    await isAsked()
    const admitted = nodes.waiting.map((one) => one.admit(1))
    expect(await refused).toBe('rate_limit_requests')
    await Promise.all(admitted)
    for (const one of nodes.entering) await one.admit(1)
    expect(await nodes.ask().then(() => 'none', errorName)).toBe('rate_limit_requests')
  })

  test('so does a request that would be admitted', async () => {
    await using nodes = await openLimiterNodes(url, { nodes: 2 })
    const caller = callerWith({ requestsPerMinute: 8 })
    const [one, other] = nodes.limiters
    if (one === undefined || other === undefined) throw new Error('there are two nodes')
    const ask = (limiter: typeof one) => limiter.precheck(caller, { model: 'helix-v1', isReplay: null })
    await one.admit({ ...caller, ...tokens })
    const waiting = await ask(one)
    const entering = await ask(one)
    const others = [await ask(one), await ask(one), await ask(one), await ask(one), await ask(one)]
    // The other node does not know of the one that waits.
    others.push(await ask(other))
    const refused = entering.admit(tokens).then(() => 'none', errorName)
    await isAsked()
    const admitted = waiting.admit(tokens)
    expect(await refused).toBe('rate_limit_requests')
    await admitted
    for (const each of others) await each.admit(tokens)
  })
})
