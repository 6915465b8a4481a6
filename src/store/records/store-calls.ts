import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'

/** Runs the operations of the store by name. */
export interface StoreCalls {
  call<Name extends OperationName>(name: Name, ...args: ArgsOf[Name]): Promise<ResultOf[Name]>
}
