import type { Clock } from '../base/clock.ts'
import type { Engine } from '../engine/contract.ts'
import type { Models } from './contract.ts'
import { createQueue, type QueueSettings } from './create-queue.ts'
import { fixedPool } from './fixed-pool.ts'

/** One engine that is always there, as the only model. */
export const singleModel = (engine: Engine, settings: QueueSettings, clock: Clock): Models => {
  const pool = fixedPool(engine, createQueue(engine.slots, settings, clock))
  return {
    list: () => [pool],
    find: (name) => (name === engine.model.id ? pool : null),
    defaultPool: pool,
    reload: async () => {},
    close: () => engine.close(),
  }
}
