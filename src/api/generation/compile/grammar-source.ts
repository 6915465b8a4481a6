import type { Constraint } from '../../../engine/contract.ts'

/** A format that the answer must have. `param` is the path of the field that requests it. */
export type FormatSource =
  | { type: 'object' }
  /** `place` describes it in errors. */
  | { type: 'schema'; schema: unknown; strict: boolean; place: string; param: string }
  /** A JSON Schema sent as text. */
  | { type: 'schema_text'; text: string; place: string; param: string }
  | { type: 'regex'; pattern: string; param: string }
  | { type: 'choice'; choices: readonly string[]; param: string }

/** A function whose arguments must conform to the schema. */
export type ToolSource = { name: string; parameters: Record<string, unknown>; strict: boolean; param: string }

/**
 * Everything in a request that is compiled into a grammar, as it was sent: plain data that can be passed between threads. How
 * long it takes to compile is up to the caller, so this never happens on the event loop.
 */
export type GrammarSource = {
  tools: readonly ToolSource[]
  /** Which of the tools may be called, by their indexes; null if none may. */
  calls: { callable: readonly number[]; required: boolean; parallel: boolean } | null
  format: FormatSource | null
  /** Strict schemas that the official service refuses are refused; otherwise they are enforced as they are written. */
  isOfficialOnly?: boolean
}

/** Why a source cannot be compiled: the values of the error of that name. */
export type CompileRefusal =
  | { error: 'invalid_function_parameters'; name: string; reason: string; param: string }
  | { error: 'invalid_schema'; place: string; reason: string; param: string }
  | { error: 'refused_value'; reason: string; param: string }

/** `cpuMs`: what finding out took; absent if it was known before. */
export type CompileOutcome =
  | { ok: true; constraint: Constraint | null }
  | { ok: false; refusal: CompileRefusal; cpuMs?: number }

/** Thrown inside the compiler. */
export class CompileRefused extends Error {
  readonly refusal: CompileRefusal

  constructor(refusal: CompileRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
