import type { BodyStorage } from '../../../../src/platform/contract/organisation.ts'
import { platformQuery } from '../../platform-query.ts'

export const textStorageQuery = platformQuery<BodyStorage>(['organisation-bodies'], '/organisation/bodies')
