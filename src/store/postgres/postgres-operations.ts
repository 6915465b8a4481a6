import { type Operation, snapshot, writeOnce } from '../operations/operation.ts'
import { portableOperations } from '../operations/portable-operations.ts'
import { verifyUsage } from '../operations/usage/verify-usage.ts'
import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'
import { beginLedger } from './operations/ledger/begin-ledger.ts'
import { ledgerOperations } from './operations/ledger/ledger-operations.ts'

export type PostgresOperations = { readonly [Name in OperationName]: Operation<ArgsOf[Name], ResultOf[Name]> }

/** Everything that PostgreSQL can be asked for, by name; for one of the servers that share the ledger. */
export const createPostgresOperations = (node: string): PostgresOperations => ({
  ...portableOperations,
  ...ledgerOperations(node),
})

/** What SQLite does on a thread of its own. */
export const verification = snapshot(verifyUsage)

/** When the store is opened, before anything else. */
export const beginning = writeOnce(beginLedger)
