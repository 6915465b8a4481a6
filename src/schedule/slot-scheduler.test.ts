import { expect, test } from 'vitest'
import { maxIdle } from './fair-share-counters.ts'
import type { Decision } from './scheduled-request.ts'
import { SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'

const create = (options: Partial<SlotSchedulerOptions> = {}, weightOf: (ownerId: string) => number = () => 1) => {
  const scheduler = new SlotScheduler({
    slots: 1,
    reservedSlots: 0,
    queueLimit: 1000,
    organisationQueueLimit: 1000,
    queueTimeoutMs: 60_000,
    ...options,
  })
  let lastId = 0
  let nowMs = 0
  const owners = new Map<number, string>()
  return {
    scheduler,
    advance: (byMs: number) => {
      nowMs += byMs
    },
    now: () => nowMs,
    arrive(ownerId: string, promptTokens = 10, completionTokens = 0, choices = 1) {
      lastId += 1
      owners.set(lastId, ownerId)
      const size = { promptTokens, completionTokens, choices }
      return {
        id: lastId,
        decisions: scheduler.arrive({ id: lastId, ownerId, weight: weightOf(ownerId), size }, nowMs),
      }
    },
    release: (id: number) => scheduler.release(id, nowMs),
    use: (id: number, promptTokens: number, completionTokens: number, cachedTokens = 0) =>
      scheduler.used(id, { promptTokens, cachedTokens, completionTokens }, nowMs),
    /** Which owners the started requests belong to. */
    started: (decisions: readonly Decision[]) =>
      decisions.flatMap(({ type, id }) => (type === 'start' ? [owners.get(id)] : [])),
  }
}
const countsOf = ({ running, waiting }: SlotScheduler) => ({ running, waiting })
const start = (id: number): Decision => ({ type: 'start', id })

test('a request starts at once while a slot is free, and otherwise when one is released', () => {
  const { scheduler, arrive, release } = create({ slots: 2 })
  expect(arrive('a').decisions).toEqual([start(1)])
  expect(arrive('a').decisions).toEqual([start(2)])
  expect(arrive('a').decisions).toEqual([])
  expect(countsOf(scheduler)).toEqual({ running: 2, waiting: 1 })
  expect(release(1)).toEqual([start(3)])
  expect(release(1)).toEqual([])
  expect(countsOf(scheduler)).toEqual({ running: 2, waiting: 0 })
})

test('a new owner goes before everything that a flooding one has waiting', () => {
  const { arrive, release, started } = create()
  for (let request = 0; request < 50; request += 1) arrive('flood')
  arrive('new')
  expect(started(release(1))).toEqual(['new'])
})

test('waiting owners are served in proportion to their weights, by tokens and not by requests', () => {
  const weights = new Map([
    ['heavy', 3],
    ['light', 1],
  ])
  const { scheduler, arrive, release, use } = create({}, (id) => weights.get(id) ?? 1)
  const tokens = { heavy: 5, light: 50 }
  const served = { heavy: 0, light: 0 }
  const ids = new Map<number, 'heavy' | 'light'>()
  const send = (owner: 'heavy' | 'light') => {
    const { id, decisions } = arrive(owner, 0, 1000)
    ids.set(id, owner)
    return decisions
  }
  let [running] = send('heavy')
  for (const owner of ['heavy', 'light', 'light'] as const) send(owner)
  for (let turn = 0; turn < 5000 && running?.type === 'start'; turn += 1) {
    const owner = ids.get(running.id) ?? 'light'
    use(running.id, 0, tokens[owner])
    served[owner] += tokens[owner]
    send(owner)
    const [next] = release(running.id)
    running = next
  }
  expect(served.heavy / served.light).toBeCloseTo(3, 1)
  expect(scheduler.running).toBe(1)
})

test('time without requests is not saved up', () => {
  const { scheduler, arrive, release, started } = create()
  let { id: running } = arrive('early')
  const order: (string | undefined)[] = []
  const finish = () => {
    const decisions = release(running)
    order.push(...started(decisions))
    running = decisions[0]?.id ?? running
  }
  for (let request = 0; request < 200; request += 1) arrive('busy')
  for (let request = 0; request < 100; request += 1) finish()
  expect(scheduler.counterOf('busy')).toBe(1000)
  for (let request = 0; request < 20; request += 1) arrive('early')
  order.length = 0
  for (let request = 0; request < 20; request += 1) finish()
  expect(order.filter((owner) => owner === 'early')).toHaveLength(10)
})

test('nor is the time in which an owner had a request running, but none waiting', () => {
  const { scheduler, arrive, release, started } = create({ slots: 2 })
  arrive('slow')
  let { id: running } = arrive('busy')
  for (let request = 0; request < 200; request += 1) arrive('busy')
  const order: (string | undefined)[] = []
  const finish = () => {
    const decisions = release(running)
    order.push(...started(decisions))
    running = decisions[0]?.id ?? running
  }
  for (let request = 0; request < 100; request += 1) finish()
  for (let request = 0; request < 20; request += 1) arrive('slow')
  order.length = 0
  for (let request = 0; request < 20; request += 1) finish()
  expect(scheduler.running).toBe(2)
  expect(order.filter((owner) => owner === 'slow').length).toBeLessThanOrEqual(11)
})

test('an answer is charged for what it is expected to use, then for what it used', () => {
  const { scheduler, arrive, release, use } = create({ slots: 2 })
  const other = arrive('other', 1, 0)
  const { id } = arrive('a', 100, 50)
  expect(scheduler.counterOf('a')).toBe(100 + 4 * 50)
  use(id, 100, 10)
  expect(scheduler.counterOf('a')).toBe(100 + 4 * 50)
  use(id, 100, 60)
  expect(scheduler.counterOf('a')).toBe(100 + 4 * 60)
  use(id, 100, 60, 90)
  arrive('a', 0, 0)
  release(id)
  expect(scheduler.counterOf('a')).toBe(10 + 4 * 60)
  release(other.id)
})

test('several choices are charged together, with one prompt', () => {
  const { scheduler, arrive, use } = create({ slots: 3 })
  const { id } = arrive('a', 100, 3 * 40, 3)
  expect(scheduler.extend(id, 0)).toBe(true)
  expect(scheduler.running).toBe(2)
  use(id, 100, 130)
  expect(scheduler.counterOf('a')).toBe(100 + 4 * 130)
})

test('the expected length of an answer follows the answers before it', () => {
  const { scheduler, arrive, release, use } = create({ slots: 2 })
  const held = arrive('a', 0, 0)
  for (let answer = 0; answer < 200; answer += 1) {
    const { id } = arrive('b', 0, 1000)
    use(id, 0, 20)
    release(id)
  }
  const before = scheduler.counterOf('c')
  arrive('c', 0, 1000)
  expect(scheduler.counterOf('c') - before).toBeCloseTo(4 * 20, 0)
  release(held.id)
})

test('of the requests of one owner a short one goes before a long one of the same time, but not before one that waits longer', () => {
  const { scheduler, arrive, advance, release } = create({ queueTimeoutMs: 10_000 })
  arrive('a')
  const long = arrive('a', 100_000)
  const short = arrive('a', 10)
  advance(2_600)
  const late = arrive('a', 10)
  expect(release(1)).toEqual([start(short.id)])
  expect(release(short.id)).toEqual([start(long.id)])
  expect(release(long.id)).toEqual([start(late.id)])
  expect(scheduler.waiting).toBe(0)
})

test('an owner leaves the last slot free, alone or not, and one that has none finds it', () => {
  const { scheduler, arrive, release } = create({ slots: 4, reservedSlots: 1 })
  for (let request = 0; request < 5; request += 1) arrive('flood')
  expect(countsOf(scheduler)).toEqual({ running: 3, waiting: 2 })
  const visitor = arrive('visitor')
  expect(visitor.decisions).toEqual([start(visitor.id)])
  arrive('visitor')
  const third = arrive('third')
  expect(countsOf(scheduler)).toEqual({ running: 4, waiting: 4 })
  // All slots are in use: the next one is for the owner that has none, then one is kept again.
  expect(release(1)).toEqual([start(third.id)])
  expect(release(third.id)).toEqual([])
  expect(countsOf(scheduler)).toEqual({ running: 3, waiting: 3 })
})

test('with a single slot there is none to keep: a new owner has the next turn', () => {
  const { arrive, release, started } = create({ slots: 1, reservedSlots: 1 })
  for (let request = 0; request < 5; request += 1) arrive('flood')
  arrive('visitor')
  expect(started(release(1))).toEqual(['visitor'])
})

test('an owner whose answers do not progress, and who is charged nothing meanwhile, holds up nobody', () => {
  const { arrive, release, use } = create({ slots: 4, reservedSlots: 1 })
  for (let request = 0; request < 8; request += 1) arrive('slow reader', 1, 1)
  for (let turn = 0; turn < 50; turn += 1) {
    const { id, decisions } = arrive('other', 10, 100)
    expect(decisions).toEqual([start(id)])
    use(id, 10, 100)
    expect(release(id)).toEqual([])
  }
})

test('several choices of one request leave the last slot free, too', () => {
  const { scheduler, arrive } = create({ slots: 4, reservedSlots: 1 })
  const { id } = arrive('a', 10, 80, 8)
  expect([1, 2, 3].map(() => scheduler.extend(id, 0))).toEqual([true, true, false])
  expect(arrive('b').decisions).toHaveLength(1)
})

test('between its choices a request gives up its second slot to an owner that has none, even one that has used more', () => {
  const { scheduler, arrive, release, now } = create({ slots: 3, reservedSlots: 1 })
  const several = arrive('a', 0, 10, 8)
  expect(scheduler.extend(several.id, now())).toBe(true)
  const dear = arrive('dear', 5000)
  const other = arrive('other')
  expect(release(dear.id)).toEqual([start(other.id)])
  const again = arrive('dear')
  expect(again.decisions).toEqual([])
  expect(scheduler.counterOf('dear')).toBeGreaterThan(scheduler.counterOf('a'))
  expect(scheduler.yield(several.id, now())).toEqual([start(again.id)])
  expect(release(other.id)).toEqual([])
  expect(release(again.id)).toEqual([start(several.id)])
})

test('beyond its own limit an owner is refused, however much room the queue has', () => {
  const { scheduler, arrive } = create({ organisationQueueLimit: 1 })
  arrive('a')
  arrive('a')
  expect(arrive('a').decisions).toMatchObject([{ type: 'refuse', id: 3, error: 'queue_full' }])
  expect(arrive('b').decisions).toEqual([])
  expect(scheduler.waiting).toBe(2)
})

test('in a full queue the newest request of whoever has the most waiting makes room', () => {
  const { scheduler, arrive } = create({ queueLimit: 3 })
  arrive('flood')
  for (const id of [2, 3, 4]) expect(arrive('flood').id).toBe(id)
  expect(arrive('flood').decisions).toMatchObject([{ type: 'refuse', id: 5, error: 'queue_full' }])
  expect(arrive('other').decisions).toMatchObject([{ type: 'refuse', id: 4, error: 'queue_full' }])
  // Now two against one: the next of the other would be as many as theirs.
  expect(arrive('other').decisions).toMatchObject([{ type: 'refuse', id: 7, error: 'queue_full' }])
  expect(scheduler.waiting).toBe(3)
})

test('retry-after is what is ahead, at the measured speed', () => {
  const { scheduler, arrive, advance, release, use, now } = create({ queueLimit: 3 })
  const running = arrive('a', 0, 100_000)
  arrive('a', 0, 100_000)
  let tokens = 0
  const work = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      advance(1000)
      tokens += 250
      use(running.id, 0, tokens)
    }
  }
  // 250 completion tokens a second, which cost 1000; the first answers are expected to have 256 of them.
  work(20)
  arrive('a', 3000)
  arrive('a', 4000)
  const [refusal] = arrive('a', 5000).decisions
  expect(refusal).toMatchObject({ error: 'queue_full', retryAfterMs: 1024 + 3000 + 4000 })
  work(60)
  expect(scheduler.expire(3, now())).toMatchObject([{ error: 'queue_timeout', retryAfterMs: 1024 }])
  release(running.id)
})

test('prompts that are still being read do not make the engine seem slow', () => {
  const { arrive, advance, use } = create({ slots: 2, queueTimeoutMs: 30_000 })
  const first = arrive('a', 5000)
  arrive('a', 20_000)
  arrive('a', 20_000)
  advance(10_000)
  use(first.id, 5000, 0)
  // 25,000 of cost in ten seconds, of which 5,000 are known to be done: at the speed of those alone it would wait for 40.
  expect(arrive('a').decisions).toEqual([])
})

test('a request that would wait beyond its deadline is refused at once', () => {
  const { scheduler, arrive, advance, use } = create({ queueTimeoutMs: 30_000 })
  const running = arrive('a', 0, 100_000)
  arrive('a', 0, 100_000)
  for (let second = 1; second <= 20; second += 1) {
    advance(1000)
    use(running.id, 0, 250 * second)
  }
  arrive('a', 40_000)
  expect(arrive('a', 10).decisions).toEqual([])
  expect(arrive('a', 40_001).decisions).toMatchObject([{ error: 'queue_timeout', retryAfterMs: 41_034 }])
  expect(arrive('b', 10).decisions).toEqual([])
  expect(scheduler.waiting).toBe(4)
})

test('a request that leaves, or waits too long, leaves no trace', () => {
  const { scheduler, arrive, now, release } = create({ queueTimeoutMs: 1000 })
  const running = arrive('a')
  const before = scheduler.counterOf('a')
  const leaving = arrive('a', 5000)
  const late = arrive('b', 5000)
  expect(scheduler.leave(leaving.id, now())).toEqual([])
  expect(scheduler.expire(running.id, now() + 1000)).toEqual([])
  expect(scheduler.expire(late.id, now() + 1000)).toMatchObject([{ id: late.id, error: 'queue_timeout' }])
  expect(scheduler.counterOf('a')).toBe(before)
  expect(countsOf(scheduler)).toEqual({ running: 1, waiting: 0 })
  expect(scheduler.remembered).toEqual({ requests: 1, owners: 1 })
  release(running.id)
  expect(scheduler.remembered).toEqual({ requests: 0, owners: 0 })
})

test('between its choices a request yields to whoever should go first, and gets a slot again', () => {
  const { scheduler, arrive, release, use, now } = create()
  const several = arrive('a', 10, 100, 4)
  expect(scheduler.yield(several.id, now())).toEqual([])
  const other = arrive('b', 10)
  expect(scheduler.yield(several.id, now())).toEqual([start(other.id)])
  expect(countsOf(scheduler)).toEqual({ running: 1, waiting: 1 })
  expect(release(other.id)).toEqual([start(several.id)])
  const dear = arrive('b', 10_000)
  use(several.id, 10, 150)
  expect(scheduler.yield(several.id, now())).toEqual([start(dear.id)])
  expect(release(dear.id)).toEqual([start(several.id)])
  // The other owner has been served far more by now.
  arrive('b', 10)
  expect(scheduler.yield(several.id, now())).toEqual([])
})

test('between its choices a request keeps its slot while only its own owner waits with requests that have not started', () => {
  const { scheduler, arrive, use, now } = create()
  // A long request counts as later than a short one after it.
  const several = arrive('a', 10_000, 100, 4)
  arrive('a', 1)
  use(several.id, 10_000, 150)
  expect(scheduler.yield(several.id, now())).toEqual([])
  expect(countsOf(scheduler)).toEqual({ running: 1, waiting: 1 })
})

test('owners without requests are forgotten once the others have caught up, and never remembered without bound', () => {
  const { scheduler, arrive, release } = create({ slots: 2 })
  const first = arrive('steady', 10)
  const once = arrive('once', 500)
  release(once.id)
  expect(scheduler.remembered.owners).toBe(2)
  let last = first.id
  for (let request = 0; request < 100; request += 1) {
    const { id } = arrive('steady', 10)
    release(last)
    last = id
  }
  expect(scheduler.remembered.owners).toBe(1)
  for (let visitor = 0; visitor < maxIdle + 500; visitor += 1) release(arrive(`visitor ${visitor}`, 5000).id)
  expect(scheduler.remembered.owners).toBe(maxIdle + 1)
  release(last)
  expect(scheduler.remembered.owners).toBe(0)
})
