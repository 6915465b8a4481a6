import type { Clock } from '../base/clock.ts'
import type { Redis } from '../redis/redis.ts'
import type { Family } from './family.ts'
import { type Distribution, Histogram } from './histogram.ts'

/** Few, since there is a series of each for every operation. */
const bounds = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10]

export interface DependencyTimes {
  readonly families: readonly Family[]
  onStoreCall(name: string, durationMs: number): void
  /** The same Redis, whose commands are measured. */
  measureRedis(redis: Redis, clock: Clock): Redis
}

/** How long the database and Redis take. */
export const createDependencyTimes = (): DependencyTimes => {
  const time = (name: string, help: string) => new Histogram({ name, help, labels: ['operation'], bounds })
  const ofStore = time(
    'helix_store_operation_duration_seconds',
    'How long operations of the database took, with the time that they waited for others.',
  )
  const ofRedis = time('helix_redis_operation_duration_seconds', 'How long commands and scripts of Redis took.')
  const onStoreCall = createObserve(ofStore)
  const onRedisCall = createObserve(ofRedis)
  return {
    families: [ofStore, ofRedis],
    onStoreCall,
    measureRedis(redis, clock) {
      const timed = <Result>(name: string, result: Promise<Result>): Promise<Result> => {
        const startedMs = clock.monotonicMs()
        const ended = (): void => onRedisCall(name, clock.monotonicMs() - startedMs)
        result.then(ended, ended)
        return result
      }
      return {
        run: (...script) => timed('script', redis.run(...script)),
        call: (command, ...rest) => timed(command.toLowerCase(), redis.call(command, ...rest)),
        publish: (...message) => timed('publish', redis.publish(...message)),
        subscribe: (...subscription) => redis.subscribe(...subscription),
        get isAway() {
          return redis.isAway
        },
        onReturned: (listener) => redis.onReturned(listener),
        close: () => redis.close(),
      }
    },
  }
}

/** The series are looked up once for each operation. */
const createObserve = (histogram: Histogram): ((name: string, durationMs: number) => void) => {
  const opened = new Map<string, Distribution>()
  return (name, durationMs) => {
    let series = opened.get(name)
    if (series === undefined) {
      series = histogram.of(name)
      opened.set(name, series)
    }
    series.observe(durationMs / 1000)
  }
}
