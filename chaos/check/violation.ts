import type { Evidence } from './evidence.ts'

export type Violation = { rule: string; detail: string }

/** A guarantee of the ledger; returns its violations. */
export type Rule = (evidence: Evidence) => Violation[]
