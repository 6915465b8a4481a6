import type { Role } from '../../store/team-contract.ts'

type Ability = { least: Role; text: string }

/**
 * What a member may do in an organisation, with the minimum role for it. Routes and pages use this table, and
 * `docs/teams.md` is generated from it.
 */
export const abilities = {
  see: { least: 'viewer', text: 'See the members, keys, limits and usage' },
  leave: { least: 'viewer', text: 'Leave, or step down to a lower role' },
  usePlayground: { least: 'member', text: 'Use the playground; save prompts and share them' },
  readBodies: { least: 'member', text: 'Read stored prompts and answers, if the organisation keeps them' },
  makeKeys: { least: 'member', text: 'Create keys; change, pause, rotate and revoke their own' },
  manageKeys: { least: 'admin', text: 'Change, pause, rotate and revoke all keys, and set their limits' },
  manageMembers: { least: 'admin', text: 'Invite people, change roles and remove members, except owners' },
  changeOrganisation: { least: 'admin', text: 'Rename the organisation and change its settings' },
  manageWebhooks: { least: 'admin', text: 'Set up webhooks and mails about events, and read their log' },
  seeAudit: { least: 'admin', text: 'Read the audit log' },
  manageOwners: { least: 'owner', text: 'Create, change and remove owners' },
  handOver: { least: 'owner', text: 'Transfer ownership, or delete the organisation' },
  changeRules: { least: 'owner', text: 'Require two-factor authentication' },
} as const satisfies Record<string, Ability>
