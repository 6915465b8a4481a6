import type { Operation } from '../operations/operation.ts'
import { portableOperations } from '../operations/portable-operations.ts'
import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'

export type PostgresOperations = { readonly [Name in OperationName]?: Operation<ArgsOf[Name], ResultOf[Name]> }

/** Everything that PostgreSQL can be asked for, by name. */
export const createPostgresOperations = (): PostgresOperations => ({ ...portableOperations })
