/**
 * Operations of the command line, on the socket in the data directory. A file here has the rows of one group and what each of
 * them does: through the socket of a running server, or on the store if none runs. The results are the same.
 *
 * The names are those that commands print with `--json`: snake_case, with ISO 8601 times.
 */
import { integer, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import { operationsUnder } from '../operations/operation.ts'

/** Only its owner can open the socket. */
export const socket = { access: 'socket' } as const

export const { get, post } = operationsUnder('/control')

export const time = described('ISO 8601.', string())
export const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
