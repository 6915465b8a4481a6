import type { ListedOrganisation, OrganisationDetails } from '../../../../src/platform/contract/server.ts'
import { platformListQuery, platformQuery } from '../../platform-query.ts'

export type { ListedOrganisation }

export const organisationsQuery = platformListQuery<ListedOrganisation>(['organisations'], '/admin/organisations')

export const organisationQuery = (id: string) =>
  platformQuery<OrganisationDetails>(['organisations', id], `/admin/organisations/${id}`)
