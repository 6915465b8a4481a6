import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { RequestQueue } from '../schedule/request-queue.ts'
import type { ServedUpstreamModel, UpstreamSet } from '../upstreams/upstream-set.ts'
import type { ModelPool } from './contract.ts'
import { createQueue, type QueueSettings } from './create-queue.ts'
import { modelNames } from './model-names.ts'

type UpstreamPoolsOptions = {
  upstreams: Pick<UpstreamSet, 'models'>
  defaultUpstream: string | null
  settings: QueueSettings
  /** Only in a worker, whose authority has the queues. */
  openQueue?(model: string): RequestQueue
  clock: Clock
  log: Log
}

type UpstreamModelPool = ModelPool & Pick<ServedUpstreamModel, 'price'>

/** As long as it takes servers to notice an engine node. */
const retryUnservedMs = 5_000

/** The models of upstreams, each with a queue that stays the same while its upstreams change. */
export const createUpstreamPools = (options: UpstreamPoolsOptions) => {
  const { upstreams, defaultUpstream, settings, clock, log } = options
  let pools = new Map<ServedUpstreamModel, ModelPool>()
  const aliases = new WeakMap<ServedUpstreamModel, readonly string[]>()
  let reported = new Set<string>()

  const createPool = (served: ServedUpstreamModel): UpstreamModelPool => {
    const slots = Math.max(1, served.engine.slots)
    const queue = options.openQueue?.(served.name) ?? createQueue(slots, settings, clock, { keepsShares: true })
    served.onResize((slots) => queue.resize(Math.max(1, slots)))
    return toModelPool(served, queue, () => aliases.get(served) ?? [])
  }
  return {
    /**
     * A name belongs to the first that has it: the default model, then the models of this machine, then those of upstreams.
     * So an upstream that lists a name cannot replace a model of this machine.
     */
    join(local: readonly ModelPool[]): ModelPool[] {
      const models = upstreams.models()
      pools = new Map(models.map((served) => [served, pools.get(served) ?? createPool(served)]))
      const taken = new Set<string>()
      const conflicts = new Set<string>()
      const claim = (name: string): boolean => {
        if (taken.has(name)) conflicts.add(name)
        return !taken.has(name) && taken.add(name).has(name)
      }
      const ofUpstream = (served: ServedUpstreamModel): ModelPool[] => {
        const pool = pools.get(served)
        if (pool === undefined) return []
        const isClaimed = claim(served.name)
        served.setTaken(!isClaimed)
        if (!isClaimed) return []
        aliases.set(served, served.aliases.filter(claim))
        return [pool]
      }
      const [first] = models.filter(({ name }) => name === defaultUpstream)
      const joined = [
        ...(first === undefined ? [] : ofUpstream(first)),
        ...local.filter((pool) => modelNames(pool).filter(claim).includes(pool.model.id)),
        // What the operator named comes first: an upstream that lists an alias of another model does not get it.
        ...models.filter((served) => served !== first && !served.isListed).flatMap(ofUpstream),
        ...models.filter((served) => served !== first && served.isListed).flatMap(ofUpstream),
      ]
      for (const name of conflicts) if (!reported.has(name)) log.warn('model_name_taken', { name })
      reported = conflicts
      return joined
    },
  }
}

const toModelPool = (
  served: ServedUpstreamModel,
  queue: RequestQueue,
  aliases: () => readonly string[],
): UpstreamModelPool => {
  return {
    get model() {
      return served.engine.model
    },
    get aliases() {
      return aliases()
    },
    get kind() {
      return served.kind
    },
    get price() {
      return served.price
    },
    get slots() {
      return served.engine.slots
    },
    queue,
    status: () => ({
      state: served.isUnserved ? 'loading' : served.engine.state(),
      reason: null,
      memory: null,
      process: null,
      diskBytes: null,
    }),
    async use() {
      if (served.isUnserved)
        throw ApiError.of('model_without_engine', { model: served.name }, { retryAfterMs: retryUnservedMs })
      // They would wait for the answers that still run.
      if (served.isDrained) throw ApiError.of('model_drained', { model: served.name })
      return { engine: served.engine, release: () => {} }
    },
  }
}
