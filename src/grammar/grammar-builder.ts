import type { GrammarNode } from './grammar.ts'
import type { Obligations } from './obligations.ts'
import type { RawSchema, SchemaDocument } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

/** What the functions for the single types share while one schema is compiled. */
export interface GrammarBuilder {
  readonly document: SchemaDocument
  readonly strict: boolean
  /** The values that fit, as a rule that may not be written yet, so that schemas can be recursive. */
  fitting(obligations: Obligations): GrammarNode
  /** Creates a rule for a node. */
  define(node: GrammarNode): GrammarNode
  /** The same, once for each key. */
  share(key: string, make: () => GrammarNode): GrammarNode
  /** A rule whose node can refer to it. */
  reserve(): { node: GrammarNode; fill(node: GrammarNode): void }
  /** Counts parts of the grammar, and refuses a schema that needs too many. */
  spend(parts: number): void
  /** Counts steps of the work, and refuses a schema that needs too many. */
  walk(steps: number): void
}

/** A refusal at the first of these schemas that has the keyword. */
export const refuseAt = (
  { document }: GrammarBuilder,
  sources: readonly RawSchema[],
  keyword: string,
  reason: string,
): SchemaRefused => {
  const source = sources.find((candidate) => Object.hasOwn(candidate, keyword)) ?? document.root
  return new SchemaRefused(document.contextOf(source), reason)
}
