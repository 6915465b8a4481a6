import type { Role } from '../../../src/store/team-contract.ts'

export const roles = {
  viewer: 'Viewer',
  member: 'Member',
  admin: 'Admin',
  owner: 'Owner',
} as const satisfies Record<Role, string>
