import type { Operations } from '../../src/operations/operation.ts'
import { type PlatformRows, platformOperations } from '../../src/platform/contract/operations.ts'

/**
 * What a call needs to know of its row. The build runs this module and puts its value into the scripts
 * (`site/build/operation-table.ts`): the schemas stay on the server.
 */
type CalledOperation = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** The answer is a file or a stream, which the caller reads itself. */
  isBare?: true
}

const listOperations = (): [string, CalledOperation][] =>
  Object.values<Operations>(platformOperations).flatMap((part) =>
    Object.entries(part).map(([id, { method, path, content }]): [string, CalledOperation] => [
      id,
      { method, path, ...(content === undefined ? {} : { isBare: true }) },
    ]),
  )

/** Sound because it has every row of the table that the type is made of. */
const asTable = (rows: object): Record<keyof PlatformRows, CalledOperation> =>
  rows as Record<keyof PlatformRows, CalledOperation>

export const operationTable = asTable(Object.fromEntries(listOperations()))
