import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { ConfigurationShown, EngineShown } from '../../../platform/server-types.ts'

export const engineQuery = queryOptions({
  queryKey: ['engine'],
  queryFn: ({ signal }) => platformGet<EngineShown>('/admin/engine', signal),
  refetchInterval: 3_000,
})

/** It stays as it is for as long as the server runs. */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: ({ signal }) => platformGet<ConfigurationShown>('/admin/configuration', signal),
})
