import type { Evidence } from './evidence.ts'

export type Violation = { rule: string; detail: string }

export type Report = (rule: string, detail: string) => void

/** A guarantee of the ledger; returns its violations. */
export type Rule = (evidence: Evidence) => Violation[]
