import type { Role } from '../../../src/store/team-contract.ts'

export const roles: Record<Role, string> = {
  viewer: '閲覧者',
  member: 'メンバー',
  admin: '管理者',
  owner: '所有者',
}
