import { type Omission, omissionReasons } from './omission-reasons.ts'

/** What could not be taken over, and why; `reason`: as an English sentence. */
export type Omitted = Omission & { path: string; reason: string }

export const omitted = (path: string, { code, value }: Omission): Omitted => ({
  path,
  code,
  value,
  reason: omissionReasons[code].replaceAll('{value}', () => value),
})
