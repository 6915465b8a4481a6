import { describe, expect, test } from 'vitest'
import { createLocalMessages, type Messages } from '../../../src/base/messages.ts'
import { createRedisMessages } from '../../../src/redis/redis-messages.ts'
import { openScratchRedis } from '../../harness/redis/open-scratch-redis.ts'
import { newRedisPrefix, startedRedis } from '../../harness/redis/started-redis.ts'

const redis = await startedRedis()

type Opened = AsyncDisposable & { one: Messages; two: Messages }

/** What `Messages` promises, within a process and through Redis. */
const suite = (open: () => Promise<Opened>): void => {
  /** Publishes until it arrives: a subscription takes effect a moment after the call. */
  const arrives = async (from: Messages, received: readonly unknown[]): Promise<void> => {
    while (received.length === 0) {
      from.publish('limits', ['org_1'])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  test('the other node receives the ids, under the topic that it asked for', async () => {
    await using opened = await open()
    const [limits, keys] = [[] as string[][], [] as string[][]]
    opened.two.subscribe('keys', (ids) => void keys.push([...ids]))
    opened.two.subscribe('limits', (ids) => void limits.push([...ids]))
    await arrives(opened.one, limits)
    expect(limits[0]).toEqual(['org_1'])
    expect(keys).toEqual([])
  })

  test('a node does not receive its own messages', async () => {
    await using opened = await open()
    const [own, others] = [[] as string[][], [] as string[][]]
    opened.one.subscribe('limits', (ids) => void own.push([...ids]))
    opened.two.subscribe('limits', (ids) => void others.push([...ids]))
    await arrives(opened.one, others)
    await arrives(opened.two, own)
    expect(new Set(own.flat())).toEqual(new Set(['org_1']))
    const before = own.length
    const more = others.length
    opened.one.publish('limits', ['org_2'])
    while (others.length === more) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(own.slice(before).flat()).not.toContain('org_2')
  })

  test('long lists arrive whole, and an empty one as one message', async () => {
    await using opened = await open()
    const received: string[][] = []
    opened.two.subscribe('limits', (ids) => void received.push([...ids]))
    await arrives(opened.one, received)
    const ids = Array.from({ length: 1_201 }, (_, n) => `key_${n}`)
    opened.one.publish('limits', ids)
    const arrived = () => received.flat().filter((id) => id.startsWith('key_'))
    while (arrived().length < ids.length) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(arrived()).toEqual(ids)
    opened.one.publish('limits', [])
    while (received.at(-1)?.length !== 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  test('nothing arrives after the subscription has ended', async () => {
    await using opened = await open()
    const [ended, kept] = [[] as string[][], [] as string[][]]
    const end = opened.two.subscribe('limits', (ids) => void ended.push([...ids]))
    opened.two.subscribe('limits', (ids) => void kept.push([...ids]))
    await arrives(opened.one, ended)
    end()
    const before = [ended.length, kept.length] as const
    opened.one.publish('limits', ['org_2'])
    while (!kept.flat().includes('org_2')) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(ended.flat()).not.toContain('org_2')
    expect(before[0]).toBeGreaterThan(0)
  })
}

describe('within a process', () =>
  suite(async () => {
    const messages = createLocalMessages()
    return { one: messages.join(), two: messages.join(), [Symbol.asyncDispose]: async () => {} }
  }))

describe.skipIf(redis === null)('through Redis', () =>
  suite(async () => {
    if (redis === null) throw new Error('there is no Redis')
    const prefix = newRedisPrefix()
    const [first, second] = [
      await openScratchRedis(redis.url, { prefix }),
      await openScratchRedis(redis.url, { prefix }),
    ]
    return {
      ...{ one: createRedisMessages(first.redis), two: createRedisMessages(second.redis) },
      async [Symbol.asyncDispose]() {
        await first[Symbol.asyncDispose]()
        await second[Symbol.asyncDispose]()
      },
    }
  }),
)
