import { join } from 'node:path'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { readJournals } from './read-journals.ts'
import { readLedger } from './read-ledger.ts'
import { completeExactly } from './rules/complete-exactly.ts'
import { costOfCounts } from './rules/cost-of-counts.ts'
import { expectedAnswers } from './rules/expected-answers.ts'
import { neverLess } from './rules/never-less.ts'
import { neverMore } from './rules/never-more.ts'
import { nothingLost } from './rules/nothing-lost.ts'
import { onePerKey } from './rules/one-per-key.ts'
import { promptTokens } from './rules/prompt-tokens.ts'
import { recorded } from './rules/recorded.ts'
import { settledOnce } from './rules/settled-once.ts'
import { totals } from './rules/totals.ts'
import type { Rule, Violation } from './violation.ts'

const rules: readonly Rule[] = [
  expectedAnswers,
  recorded,
  settledOnce,
  neverMore,
  neverLess,
  completeExactly,
  promptTokens,
  costOfCounts,
  onePerKey,
  nothingLost,
  totals,
]

/** Compares the database of a finished run with the journals. */
export const checkLedger = (folder: string): { evidence: Evidence; violations: Violation[] } => {
  const evidence = gatherEvidence(readJournals(folder), readLedger(join(folder, 'data', 'helix.db')))
  return { evidence, violations: rules.flatMap((rule) => rule(evidence)) }
}
