/**
 * The contract of `/platform`: what each route reads and answers. The routes, the OpenAPI document and the types of the site
 * come from here. The site imports types from this folder, so a file here must not import server code other than schemas
 * and constants.
 */
import { operationsUnder } from '../../operations/operation.ts'
import type { Role } from '../../store/team-contract.ts'

export const anyone = { access: 'anyone' } as const
export const visitor = { access: 'visitor' } as const
export const session = { access: 'session' } as const
export const owner = { access: 'owner' } as const
/** A member of the organisation that the session is for, with the role that the ability requires. */
export const member = <const Least extends Role>({ least }: { least: Least }) =>
  ({ access: 'session', role: least }) as const

export const { get, post } = operationsUnder('/platform')
