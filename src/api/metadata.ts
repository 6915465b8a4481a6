import { record } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'

/** Up to 16 pairs that belong to the caller. */
export const metadata = record(string({ maxLength: 512 }), { maxEntries: 16, maxKeyLength: 64 })
