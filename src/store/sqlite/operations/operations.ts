import { findCompletion, insertCompletion, removeCompletion, setCompletionMetadata } from './completions.ts'
import { findKeyByHash, insertKey, listKeys, revokeKey } from './keys.ts'
import { listCompletions } from './list-completions.ts'
import { type Operation, read, write } from './operation.ts'
import { ensureFirstOrganisation, firstOrganisation } from './organisations.ts'
import { recordWriteCheck } from './write-checks.ts'

/** Everything the store thread can be asked for, by name. */
const table = {
  ensureFirstOrganisation: write(ensureFirstOrganisation),
  firstOrganisation: read(firstOrganisation),
  insertKey: write(insertKey),
  findKeyByHash: read(findKeyByHash),
  listKeys: read(listKeys),
  revokeKey: write(revokeKey),
  insertCompletion: write(insertCompletion),
  findCompletion: read(findCompletion),
  listCompletions: read(listCompletions),
  setCompletionMetadata: write(setCompletionMetadata),
  removeCompletion: write(removeCompletion),
  recordWriteCheck: write(recordWriteCheck),
}

type Table = typeof table
export type OperationName = keyof Table
export type ArgsOf = { [Name in OperationName]: Table[Name] extends Operation<infer Args, unknown> ? Args : never }
export type ResultOf = { [Name in OperationName]: ReturnType<Table[Name]['run']> }

/** The same table, in the form in which TypeScript can follow a name from its arguments to its result. */
export const operations: { [Name in OperationName]: Operation<ArgsOf[Name], ResultOf[Name]> } = table
