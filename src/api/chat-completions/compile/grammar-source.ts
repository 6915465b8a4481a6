import type { Constraint } from '../../../engine/contract.ts'

/** A form that the answer is to have. `param` is the place in the request that asks for it. */
export type FormatSource =
  | { type: 'object' }
  /** `place` names it in errors, in words. */
  | { type: 'schema'; schema: unknown; strict: boolean; place: string; param: string }
  /** A JSON Schema that came as text. */
  | { type: 'schema_text'; text: string; place: string; param: string }
  | { type: 'regex'; pattern: string; param: string }
  | { type: 'choice'; choices: readonly string[]; param: string }

/** A function that is offered; its arguments are to fit the schema. */
export type ToolSource = { name: string; parameters: Record<string, unknown>; strict: boolean; param: string }

/**
 * Everything of a request that is compiled into a grammar, as it was sent: plain data that may travel between threads.
 * What it costs to compile is up to the caller, so this never happens on the event loop.
 */
export type GrammarSource = {
  tools: readonly ToolSource[]
  /** Which of the tools may be called, by their indexes; null: none. */
  calls: { callable: readonly number[]; required: boolean; parallel: boolean } | null
  format: FormatSource | null
}

/** Why a source cannot be fulfilled; the words are those of the row of that name in `errors.ts`. */
export type CompileRefusal =
  | { error: 'invalid_function_parameters'; name: string; reason: string; param: string }
  | { error: 'invalid_schema'; place: string; reason: string; param: string }
  | { error: 'refused_value'; reason: string; param: string }

export type CompileOutcome = { ok: true; constraint: Constraint | null } | { ok: false; refusal: CompileRefusal }

/** Carries a refusal outwards. */
export class CompileRefused extends Error {
  readonly refusal: CompileRefusal

  constructor(refusal: CompileRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
