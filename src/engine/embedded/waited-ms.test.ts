import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { waitedMs } from './waited-ms.ts'

test.skipIf(!existsSync('/proc/self/schedstat'))(
  'the time that threads have waited for a core is known on Linux',
  () => {
    const before = waitedMs()
    expect(before).toBeGreaterThanOrEqual(0)
    expect(waitedMs()).toBeGreaterThanOrEqual(before ?? 0)
  },
)
