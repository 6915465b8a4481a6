import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export type { ListedOrganisation } from '../../../../src/platform/contract/server.ts'

export const organisationsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['organisations'],
    queryFn: async ({ signal }) => (await platform.listAllOrganisations({ signal })).data,
  })

export const organisationQuery = (platform: Platform, organisation: string) =>
  queryOptions({
    queryKey: ['organisations', organisation],
    queryFn: ({ signal }) => platform.showOrganisation({ params: { organisation }, signal }),
  })
