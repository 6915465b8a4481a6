import type { ShownNode } from '../../../../src/platform/contract/nodes.ts'
import { platformListQuery } from '../../platform-query.ts'

export const nodesQuery = {
  ...platformListQuery<ShownNode>(['nodes'], '/admin/nodes'),
  refetchInterval: 5_000,
}
