import type { Evidence } from './evidence.ts'

export type Violation = { rule: string; detail: string }

/** A promise of the ledger; returns where it was broken. */
export type Rule = (evidence: Evidence) => Violation[]
