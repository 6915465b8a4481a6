import type { Clock } from '../base/clock.ts'
import type { Engine } from '../engine/contract.ts'
import type { ModelPool, Models } from './contract.ts'
import { createQueue, type QueueSettings } from './create-queue.ts'

/** One engine that is always there, as the only model. */
export const singleModel = (engine: Engine, settings: QueueSettings, clock: Clock): Models => {
  const queue = createQueue(engine.slots, settings, clock)
  const pool: ModelPool = {
    get model() {
      return engine.model
    },
    aliases: [],
    get kind() {
      return engine.model.features?.has('embeddings') ? 'embedding' : 'chat'
    },
    slots: engine.slots,
    queue,
    status: () => ({ state: engine.state(), reason: null, memory: null, diskBytes: null }),
    use: async () => ({ engine, release: () => {} }),
  }
  return {
    list: () => [pool],
    find: (name) => (name === engine.model.id ? pool : null),
    defaultPool: pool,
    close: () => engine.close(),
  }
}
