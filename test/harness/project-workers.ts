import { inject } from 'vitest'
import type { Config } from '../../src/config/settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Workers of servers in this project of `vitest.config.ts`, unless a test says otherwise. Absent: none. */
    workers?: number
  }
}

/** Benchmarks have no project. */
export const projectWorkers = (): Partial<Pick<Config, 'workers'>> => {
  const workers = process.env.VITEST === undefined ? undefined : inject('workers')
  return workers === undefined ? {} : { workers }
}
