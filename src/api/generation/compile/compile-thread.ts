import { serveJobs } from '../../../base/serve-jobs.ts'
import { compileConstraint } from './compile-constraint.ts'
import type { CompileOutcome, GrammarSource } from './grammar-source.ts'

/** The thread of `grammar-compiler.ts`: a job is a `GrammarSource` as JSON. */
serveJobs((job: string) => {
  const value = compileConstraint(asSource(JSON.parse(job)))
  return { value, transfer: transferOf(value) }
})

const transferOf = (outcome: CompileOutcome): ArrayBuffer[] =>
  outcome.ok && outcome.constraint !== null ? [outcome.constraint.grammar.buffer] : []

/** Sound because only `grammar-compiler.ts` sends jobs, and it sends nothing else. */
const asSource = (value: unknown): GrammarSource => value as GrammarSource
