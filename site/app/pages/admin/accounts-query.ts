import type { Account } from '../../../platform/types.ts'
import { platformListQuery } from '../../platform-query.ts'

export const accountsQuery = platformListQuery<Account>(['accounts'], '/admin/accounts')
