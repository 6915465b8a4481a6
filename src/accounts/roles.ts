import type { Role } from '../store/team-contract.ts'

type Ability = { least: Role; text: string }

/**
 * What somebody may do in an organisation, and the least role for it: the one table of roles. Routes take theirs from here,
 * and `docs/teams.md` is written from it.
 */
export const abilities = {
  see: { least: 'viewer', text: 'See the members, keys, limits and usage' },
  leave: { least: 'viewer', text: 'Leave, or step down to a lower role' },
  usePlayground: { least: 'member', text: 'Use the playground' },
  readBodies: { least: 'member', text: 'Read what was asked and answered, where the organisation keeps it' },
  makeKeys: { least: 'member', text: "Make keys; change, rotate and revoke one's own" },
  manageKeys: { least: 'admin', text: 'Change, rotate and revoke all keys, and set their limits' },
  manageMembers: { least: 'admin', text: 'Invite people, change roles and remove members, but for owners' },
  changeOrganisation: { least: 'admin', text: 'Rename the organisation and change its settings' },
  seeAudit: { least: 'admin', text: 'Read the audit' },
  manageOwners: { least: 'owner', text: 'Make owners, and change or remove them' },
  handOver: { least: 'owner', text: 'Hand the organisation over, or delete it' },
  changeRules: { least: 'owner', text: 'Change the rules of the organisation' },
} as const satisfies Record<string, Ability>
