import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../platform/platform.ts'

/** What an endpoint of the platform answers. */
export const platformQuery = <Data>(queryKey: readonly string[], path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => platformGet<Data>(path, signal) })

/** The items of an endpoint that answers a list. */
export const platformListQuery = <Item>(queryKey: readonly string[], path: string) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await platformGet<{ data: readonly Item[] }>(path, signal)).data,
  })
