import type { Keys } from '../../../platform/types.ts'
import { platformQuery } from '../../platform-query.ts'

export const keysQuery = platformQuery<Keys>(['keys'], '/keys')
