import type { Clock } from '../../base/clock.ts'
import { type BodyReaders, openBodyReaders } from '../../http/body-readers.ts'
import { readTable } from './read-table.ts'

export type ApiBodyReaders = BodyReaders<typeof readTable>

type ReadersOptions = { clock: Clock; bodyLimitBytes: number; inlineBytes?: number }

/** Reads the bodies of all endpoints that use a model. */
export const openApiBodyReaders = (options: ReadersOptions): ApiBodyReaders =>
  openBodyReaders({ table: readTable, threadFile: new URL('./read-thread.ts', import.meta.url), ...options })
