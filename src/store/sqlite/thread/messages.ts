import type { DatabaseOptions } from '../database/open-database.ts'
import type { Migrated } from '../migrate.ts'
import type { ArgsOf, OperationName } from '../operations/operations.ts'
import type { JobResult } from './run-batch.ts'

/** What crosses between the program and the store thread. Only `store-thread.ts` and `thread.ts` speak it. */
export type Call<Name extends OperationName> = { id: number; name: Name; args: ArgsOf[Name] }
/** One message for all calls that wait to be sent. After `close` the thread can open another database. */
export type ToThread = { open: ThreadOptions } | Call<OperationName>[] | 'close'

export type FromThread =
  | { type: 'opened'; migrated: Migrated | null }
  | { type: 'refused'; reason: string }
  | { type: 'closed' }
  /** The last message: the thread ends, and what was asked is not answered. */
  | { type: 'damaged'; reason: string }
  /** One message for each batch; `commits` counts all transactions since the start, `taken` the messages with calls. */
  | { type: 'answers'; answers: JobResult[]; commits: number; taken: number }

export type ThreadOptions = DatabaseOptions & {
  /** The thread only reads. Another one has opened the database, which migrated it. */
  isForSearches: boolean
}
