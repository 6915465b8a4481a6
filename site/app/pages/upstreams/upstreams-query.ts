import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { platformListQuery } from '../../platform-query.ts'

export const upstreamsQuery = {
  ...platformListQuery<UpstreamShown>(['upstreams'], '/admin/upstreams'),
  refetchInterval: 3_000,
}

type UpstreamState = 'active' | 'draining' | 'failing'

/** What the operator has to know first. */
export const stateOf = ({ isDraining, lastCheck }: UpstreamShown): UpstreamState => {
  if (isDraining) return 'draining'
  return lastCheck === null || lastCheck.problem === null ? 'active' : 'failing'
}
