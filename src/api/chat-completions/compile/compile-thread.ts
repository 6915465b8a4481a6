import { serveJobs } from '../../../base/serve-jobs.ts'
import { compileWish } from './compile-wish.ts'
import type { CompileOutcome, GrammarWish } from './grammar-wish.ts'

/** The thread of `grammar-compiler.ts`: a job is a `GrammarWish` as JSON. */
serveJobs((job: string) => {
  const value = compileWish(asWish(JSON.parse(job)))
  return { value, transfer: transferOf(value) }
})

const transferOf = (outcome: CompileOutcome): ArrayBuffer[] =>
  outcome.ok && outcome.constraint !== null ? [outcome.constraint.grammar.buffer] : []

/** True because only `grammar-compiler.ts` sends jobs, and it sends nothing else. */
const asWish = (value: unknown): GrammarWish => value as GrammarWish
