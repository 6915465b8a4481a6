import { setTimeout as after } from 'node:timers/promises'
import type { Random } from '../ledger/random.ts'
import type { ChaosUpstream } from './start-upstream.ts'

/** Kills and pauses the upstreams in turn, never more than one at a time, so that there is always one that could answer. */
export const runFaults = async (
  upstreams: readonly ChaosUpstream[],
  random: Random,
  isOver: () => boolean,
): Promise<void> => {
  for (let turn = 0; !isOver(); turn += 1) {
    await after(random.integer(500, 1500))
    const upstream = upstreams[turn % upstreams.length]
    if (upstream === undefined) throw new Error('there are no upstreams')
    if (random.chance(0.5)) {
      await upstream.kill()
      await after(random.integer(100, 1500))
      await upstream.restart()
    } else {
      upstream.pause()
      // Longer than the server waits for a silent stream.
      await after(random.integer(1500, 2500))
      upstream.resume()
    }
  }
}
