import { queryOptions } from '@tanstack/react-query'
import type { ConfigurationShown, EngineShown } from '../../../../src/platform/contract/server.ts'
import { platformGet } from '../../../platform/platform.ts'

export const engineQuery = queryOptions({
  queryKey: ['engine'],
  queryFn: ({ signal }) => platformGet<EngineShown>('/admin/engine', signal),
  refetchInterval: 3_000,
})

/** It does not change while the server runs. */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: ({ signal }) => platformGet<ConfigurationShown>('/admin/configuration', signal),
})
