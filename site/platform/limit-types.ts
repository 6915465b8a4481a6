export type { LimitName, LimitsShown, ShownLimit } from '../../src/platform/contract/limits.ts'
