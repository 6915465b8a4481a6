import type { Role } from '../../../../src/store/team-contract.ts'
import type { Key } from '../../../platform/types.ts'

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/** Everybody except viewers can create keys. */
export const mayMake = (role: Role): boolean => ranks[role] >= ranks.member

/** Admins can change all keys, and only they can change limits and management keys. */
export const mayManage = (role: Role): boolean => ranks[role] >= ranks.admin

export const mayChange = (
  { createdBy, scopes }: Pick<Key, 'createdBy' | 'scopes'>,
  { email, role }: { email: string; role: Role },
): boolean => mayManage(role) || (mayMake(role) && createdBy === email && !scopes.includes('manage'))
