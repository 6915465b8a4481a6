import { record } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import type { Schema } from '../../http/schema/schema.ts'
import type { Metadata } from '../../store/contract.ts'

/** Labels on a completion: a few short pairs of strings. */
export const metadata: Schema<Metadata> = record(string({ maxLength: 512 }), { maxEntries: 16, maxKeyLength: 64 })
