import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { platformListQuery } from '../../platform-query.ts'

export const modelsQuery = {
  ...platformListQuery<ListedModel>(['models'], '/admin/models'),
  refetchInterval: 3_000,
}
