import { type Operation, read, snapshot, writeOnce } from '../operations/operation.ts'
import { portableOperations } from '../operations/portable-operations.ts'
import { verifyUsage } from '../operations/usage/verify-usage.ts'
import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'
import { beginLedger, beginNode } from './operations/ledger/begin-ledger.ts'
import { ledgerOperations } from './operations/ledger/ledger-operations.ts'
import { readDatabaseTime } from './operations/nodes/nodes.ts'
import type { OwnNode } from './own-node.ts'

export type PostgresOperations = { readonly [Name in OperationName]: Operation<ArgsOf[Name], ResultOf[Name]> }

/** Everything that PostgreSQL can be asked for, by name; for one of the servers that share the ledger. */
export const createPostgresOperations = (own: OwnNode): PostgresOperations => ({
  ...portableOperations,
  ...ledgerOperations(own),
})

/** What SQLite does on a thread of its own. */
export const verification = snapshot(verifyUsage)

/** To compare it with that of this machine. */
export const timeReading = read(readDatabaseTime)

/** When the store is opened, before anything else. */
export const beginning = writeOnce(beginLedger)
/** Of a server that uses the database alone. */
export const nodeBeginning = writeOnce(beginNode)
