import { type Role, roles } from './team-contract.ts'

type MemberChange = {
  /** The role of the actor; null if they are not (or no longer) a member. */
  actor: Role | null
  isSelf: boolean
  target: Role
  /** Null: the member leaves or is removed. */
  next: Role | null
  /** How many owners the organisation has. */
  owners: number
}

export type Decision = { outcome: 'allowed' } | { outcome: 'role_too_low'; needed: Role } | { outcome: 'last_owner' }

export const reaches = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Decides what an actor may do to a member. Everyone may step down or leave, and nobody can promote themselves. Admins
 * manage all members except owners, and cannot make anyone an owner. An organisation never loses its last owner.
 */
export const decideMemberChange = ({ actor, isSelf, target, next, owners }: MemberChange): Decision => {
  const needed = neededRole(isSelf, target, next)
  if (actor === null || !reaches(actor, needed)) return { outcome: 'role_too_low', needed }
  if (target === 'owner' && next !== 'owner' && owners <= 1) return { outcome: 'last_owner' }
  return { outcome: 'allowed' }
}

const neededRole = (isSelf: boolean, target: Role, next: Role | null): Role => {
  if (isSelf) return next ?? 'viewer'
  return target === 'owner' || next === 'owner' ? 'owner' : 'admin'
}
