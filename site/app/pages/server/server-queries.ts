import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const engineQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['engine'],
    queryFn: ({ signal }) => platform.showEngine({ signal }),
    refetchInterval: 3_000,
  })

export const configurationQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['configuration'], queryFn: ({ signal }) => platform.showConfiguration({ signal }) })
