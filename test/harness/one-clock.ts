import { resolve } from 'node:path'
import { type Clock, systemClock } from '../../src/base/clock.ts'

const clocks = new Map<string, Clock>()

/** The clock that a data directory was first used with; undefined if no test has used it yet. */
export const clockOf = (dataDir: string): Clock | undefined => clocks.get(resolve(dataDir))

/**
 * Restricts a data directory to one kind of clock. Dates from a manual clock are years from the system's time, so a
 * test that opens a directory with both would find everything expired, or nothing, depending on the day.
 */
export const keepOneClock = (dataDir: string, clock: Clock): void => {
  const first = clockOf(dataDir) ?? clock
  clocks.set(resolve(dataDir), first)
  if (kindOf(first) !== kindOf(clock))
    throw new Error(
      `${dataDir} was used with ${kindOf(first)} and is now opened with ${kindOf(clock)}: pass the same clock to both`,
    )
}

const kindOf = (clock: Clock): string => (clock === systemClock ? "the system's clock" : 'a manual clock')
