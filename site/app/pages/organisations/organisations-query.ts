import { queryOptions } from '@tanstack/react-query'
import type { ListedOrganisation, OrganisationDetails } from '../../../../src/platform/contract/server.ts'
import { platformGet } from '../../../platform/platform.ts'

export type { ListedOrganisation }

export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) =>
    (await platformGet<{ data: readonly ListedOrganisation[] }>('/admin/organisations', signal)).data,
})

export const organisationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organisations', id],
    queryFn: ({ signal }) => platformGet<OrganisationDetails>(`/admin/organisations/${id}`, signal),
  })
