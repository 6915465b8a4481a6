import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { platformListQuery } from '../../platform-query.ts'

export const upstreamsQuery = {
  ...platformListQuery<UpstreamShown>(['upstreams'], '/admin/upstreams'),
  refetchInterval: 3_000,
}
