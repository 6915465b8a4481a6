import { availableParallelism } from 'node:os'

/** More are not worth their memory: the main thread decides for all of them. */
const most = 8

/** How many workers a server has unless it is told: models on this machine need the cores themselves. */
export const defaultWorkers = (hasUpstreams: boolean, cores = availableParallelism()): number =>
  hasUpstreams ? Math.max(1, Math.min(most, cores - 1)) : 1
