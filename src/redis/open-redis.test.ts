import { createClient } from '@redis/client'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchRedis } from '../../test/harness/redis/open-scratch-redis.ts'
import { startRedis } from '../../test/harness/redis/start-redis.ts'
import { newRedisPrefix, startedRedis } from '../../test/harness/redis/started-redis.ts'
import type { Redis } from './redis.ts'
import { RedisAway } from './redis.ts'
import { redisScript } from './redis-script.ts'

const started = await startedRedis()
const { url, program } = started ?? { url: '', program: null }

const increase = redisScript(`return redis.call('INCRBY', KEYS[1], ARGV[1])`)

const nextMessage = (redis: Redis, channel: string) => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const end = redis.subscribe(channel, resolve)
  return { message: promise, end }
}

const returnOf = (redis: Redis): Promise<void> => new Promise((resolve) => void redis.onReturned(resolve))

describe.skipIf(started === null)('Redis', () => {
  test('runs scripts and commands under the prefix of its keys', async () => {
    const prefix = newRedisPrefix()
    await using one = await openScratchRedis(url, { prefix })
    await using other = await openScratchRedis(url)
    expect(await one.redis.run(increase, ['{a}:n'], [2])).toBe(2)
    expect(await one.redis.run(increase, ['{a}:n'], [3])).toBe(5)
    expect(await one.redis.call('GET', '{a}:n')).toBe('5')
    expect(await other.redis.call('GET', '{a}:n')).toBeNull()
  })

  test('an error of a command is one of the command: Redis is not away', async () => {
    await using one = await openScratchRedis(url)
    await one.redis.call('SET', 'text', 'a')
    await expect(one.redis.call('INCR', 'text')).rejects.not.toBeInstanceOf(RedisAway)
    expect(one.redis.isAway).toBe(false)
  })

  test('messages reach the subscribers of a channel, until they end their subscription', async () => {
    const prefix = newRedisPrefix()
    await using one = await openScratchRedis(url, { prefix })
    await using other = await openScratchRedis(url, { prefix })
    const first = nextMessage(one.redis, 'news')
    const second = nextMessage(one.redis, 'news')
    // Both go over one connection, so Redis has the subscription when it has answered this.
    await one.redis.call('GET', 'any')
    await other.redis.publish('news', 'a')
    expect(await first.message).toBe('a')
    expect(await second.message).toBe('a')
    first.end()
    const third = nextMessage(one.redis, 'news')
    await other.redis.publish('news', 'b')
    expect(await third.message).toBe('b')
  })

  test('a server that is not there is named at the start', async () => {
    await expect(openScratchRedis('redis://user:secret@127.0.0.1:1')).rejects.toThrow(
      /^Cannot use Redis at 127\.0\.0\.1:1: .*; check HELIX_REDIS$/,
    )
  })
})

describe.skipIf(program === null)('a Redis that fails', () => {
  test('a script that it has forgotten is sent again', async () => {
    const server = await startRedis(program ?? '')
    await using one = await openScratchRedis(server.url)
    const forgotten = redisScript(`return '${newRedisPrefix()}'`)
    const first = await one.redis.run(forgotten, ['k'], [])
    expect(await one.redis.run(forgotten, ['k'], [])).toBe(first)
    const client = createClient({ url: server.url })
    await client.connect()
    await client.scriptFlush()
    client.destroy()
    expect(await one.redis.run(forgotten, ['k'], [])).toBe(first)
    await server.close()
  })

  test('fails commands at once, and is connected to again with its subscriptions', async () => {
    const server = await startRedis(program ?? '')
    await using one = await openScratchRedis(server.url)
    const { message } = nextMessage(one.redis, 'news')
    await one.redis.call('GET', 'any')
    const back = returnOf(one.redis)
    await server.close()
    await expect(one.redis.call('GET', 'any')).rejects.toBeInstanceOf(RedisAway)
    expect(one.redis.isAway).toBe(true)
    await expect(one.redis.run(increase, ['n'], [1])).rejects.toBeInstanceOf(RedisAway)
    const again = await startRedis(program ?? '', { port: Number(new URL(server.url).port) })
    await back
    expect(one.redis.isAway).toBe(false)
    expect(await one.redis.run(increase, ['n'], [1])).toBe(1)
    await one.redis.publish('news', 'a')
    expect(await message).toBe('a')
    const events = one.log.lines.map((line) => JSON.parse(line).event)
    expect(events).toEqual(['redis_away', 'redis_returned'])
    await again.close()
  })

  test('is away if it does not answer in time, and returns by itself', async () => {
    const server = await startRedis(program ?? '')
    const clock = createManualClock()
    await using one = await openScratchRedis(server.url, { timeoutMs: 2_000, clock })
    const back = returnOf(one.redis)
    process.kill(server.pid, 'SIGSTOP')
    const failed = expect(one.redis.call('GET', 'any')).rejects.toBeInstanceOf(RedisAway)
    await clock.awaited(2_000)
    clock.advance(2_000)
    await failed
    process.kill(server.pid, 'SIGCONT')
    // When it connects again.
    await clock.awaited(100)
    clock.advance(100)
    await back
    expect(one.redis.isAway).toBe(false)
    await server.close()
  })

  test('as a cluster: keys of one hash tag are on one node', async () => {
    const server = await startRedis(program ?? '', { cluster: 'alone' })
    const both = redisScript(`redis.call('SET', KEYS[1], '1') return redis.call('INCR', KEYS[2])`)
    await using one = await openScratchRedis(`${server.url},${server.url}`)
    expect(await one.redis.run(both, ['{a}:one', '{a}:two'], [])).toBe(1)
    await expect(one.redis.run(both, ['{a}:one', '{b}:two'], [])).rejects.toThrow(/CROSSSLOT/)
    // A cluster's messages go over a connection of their own, so nothing says when it has subscribed.
    let heard = ''
    one.redis.subscribe('news', (text) => {
      heard = text
    })
    while (heard === '') await one.redis.publish('news', 'a')
    expect(heard).toBe('a')
    await server.close()
  })
})
