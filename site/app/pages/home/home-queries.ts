import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'
import { defaultUsageView } from '../usage/usage-parameters.ts'
import { usageQuery } from '../usage/usage-query.ts'

export const homeUsageQuery = (platform: Platform) => usageQuery(platform, defaultUsageView)

const shownProblems = 6

/** The newest requests that failed or were rejected. */
export const problemsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['requests', 'problems'],
    async queryFn({ signal }) {
      const list = async (outcome: 'failed' | 'refused') =>
        (await platform.listRequests({ query: { outcome, limit: shownProblems }, signal })).data
      const [failed, refused] = await Promise.all([list('failed'), list('refused')])
      return [...failed, ...refused].toSorted((a, b) => b.startedAt - a.startedAt).slice(0, shownProblems)
    },
    refetchInterval: 30_000,
  })
