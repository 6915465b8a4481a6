import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { passes, type RequestFilter } from './request-filter.ts'

/** Applies updates to the list: existing rows change in place, new ones are added at the top. */
export const mergeUpdates = (
  shown: readonly ShownRequest[],
  updated: readonly ShownRequest[],
  filter: RequestFilter,
): ShownRequest[] => {
  const updates = new Map(updated.map((request) => [request.id, request]))
  const changed = shown.flatMap((request) => {
    const now = updates.get(request.id) ?? request
    updates.delete(request.id)
    return passes(now, filter) ? [now] : []
  })
  const added = [...updates.values()].filter((request) => passes(request, filter))
  return added.length === 0 ? changed : [...added, ...changed].sort((one, two) => two.startedAt - one.startedAt)
}
