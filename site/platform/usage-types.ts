export type { Usage, UsageFigures, UsageGroup, UsageLine } from '../../src/platform/contract/usage.ts'
