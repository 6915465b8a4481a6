/** The public API. Each folder declares its operations in rows: the routes and the OpenAPI document come from them. */
import { operationsUnder } from '../operations/operation.ts'
import type { AccessScope } from '../store/contract.ts'

/** A key with this scope; `any`: whatever its scopes. */
export const withKey = <const Scope extends AccessScope | 'any'>(scope: Scope) => ({ access: 'key', scope }) as const

export const { get, post, remove } = operationsUnder('/v1')
