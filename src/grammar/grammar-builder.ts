import type { GrammarNode } from './grammar.ts'
import type { Obligations } from './obligations.ts'
import type { RawSchema, SchemaDocument } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

/** What the makers of the grammars of single types share while one schema is converted. */
export interface GrammarBuilder {
  readonly document: SchemaDocument
  readonly strict: boolean
  /** The values that fit, as a rule that may still be unwritten: so schemas may contain themselves. */
  fitting(obligations: Obligations): GrammarNode
  /** Puts a node into a rule of its own. */
  define(node: GrammarNode): GrammarNode
  /** The same, once for everything that has this key. */
  share(key: string, make: () => GrammarNode): GrammarNode
  /** A rule whose node can mention it. */
  reserve(): { node: GrammarNode; fill(node: GrammarNode): void }
  /** Counts parts of the grammar, and refuses a schema that becomes too many. */
  spend(parts: number): void
  /** Counts what is looked at on the way, and refuses a schema that needs too many looks. */
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
