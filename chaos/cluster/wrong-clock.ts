import { globSync } from 'node:fs'

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Whether the machine has Debian's `faketime`. */
export const canMoveClocks = library !== undefined

/** The environment of a process whose wall clock is ahead. Monotonic time, and with it every timer, is as it is. */
export const wrongClock = (aheadMs: number): Record<string, string> =>
  library === undefined
    ? {}
    : {
        LD_PRELOAD: library,
        FAKETIME: `+${aheadMs / 1000}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }
