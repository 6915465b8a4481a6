import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { Key } from '../../../platform/types.ts'
import type { TeamMember } from '../team/team-query.ts'

export type ListedOrganisation = {
  id: string
  name: string
  createdAt: number
  suspended: boolean
  members: number
  keys: number
}

export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) =>
    (await platformGet<{ data: ListedOrganisation[] }>('/admin/organisations', signal)).data,
})

export type OrganisationDetails = { members: TeamMember[]; keys: Key[] }

export const organisationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organisations', id],
    queryFn: ({ signal }) => platformGet<OrganisationDetails>(`/admin/organisations/${id}`, signal),
  })
