import { accountErrors } from './errors/account-errors.ts'
import { httpErrors } from './errors/http-errors.ts'
import { keyErrors } from './errors/key-errors.ts'
import { limitErrors } from './errors/limit-errors.ts'
import { parameterErrors } from './errors/parameter-errors.ts'
import { requestErrors } from './errors/request-errors.ts'
import { resourceErrors } from './errors/resource-errors.ts'
import { serverErrors } from './errors/server-errors.ts'

/**
 * Every error a caller can receive, in one table: its status, its type and code on the wire, and its public message.
 * `docs/errors.md` is generated from this table. Details for the operator belong in `cause`, never in the message.
 */
export const errorCatalogue = {
  ...keyErrors,
  ...limitErrors,
  ...accountErrors,
  ...httpErrors,
  ...resourceErrors,
  ...parameterErrors,
  ...requestErrors,
  ...serverErrors,
}

export type ErrorName = keyof typeof errorCatalogue

/** The `type` in the response, which shows who is at fault. */
export const errorType = (name: ErrorName): string => {
  const entry = errorCatalogue[name]
  if ('type' in entry) return entry.type
  return entry.status >= 500 ? 'server_error' : 'invalid_request_error'
}
