import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const modelsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => platform.listModels({ signal }),
    refetchInterval: 3_000,
  })

/** Often while something is downloaded, to show how it goes. */
export const pullsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['model-pulls'],
    queryFn: async ({ signal }) => (await platform.listPulls({ signal })).data,
    refetchInterval: ({ state }) => (state.data?.some((pull) => pull.state === 'running') ? 1_000 : 5_000),
  })
