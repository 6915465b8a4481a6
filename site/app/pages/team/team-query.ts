import { queryOptions } from '@tanstack/react-query'
import type { Invitation, TeamMember } from '../../../../src/platform/contract/organisation.ts'
import type { Platform } from '../../../platform/platform.ts'

export type { Invitation, TeamMember }

export const membersQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['team', 'members'],
    queryFn: async ({ signal }) => (await platform.listMembers({ signal })).data,
  })

export const invitationsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['team', 'invitations'],
    queryFn: async ({ signal }) => (await platform.listInvitations({ signal })).data,
  })
