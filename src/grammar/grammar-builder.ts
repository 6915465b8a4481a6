import type { GrammarNode } from './grammar.ts'
import type { Obligations } from './obligations.ts'
import type { RawSchema, SchemaDocument } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Shared by the functions for the individual types while one schema is compiled. */
export interface GrammarBuilder {
  readonly document: SchemaDocument
  readonly strict: boolean
  /** A rule for the values that fit. It may not be defined yet, so that schemas can be recursive. */
  fitting(obligations: Obligations): GrammarNode
  /** Creates a rule for a node. */
  define(node: GrammarNode): GrammarNode
  /** The same, once per key. */
  share(key: string, make: () => GrammarNode): GrammarNode
  /** A rule whose node can refer to it. */
  reserve(): { node: GrammarNode; fill(node: GrammarNode): void }
  /** Counts parts of the grammar and refuses a schema that needs too many. */
  spend(parts: number): void
  /** Counts compilation steps and refuses a schema that needs too many. */
  walk(steps: number): void
}

/** A refusal that points to the first of these schemas with the keyword. */
export const refuseAt = (
  { document }: GrammarBuilder,
  sources: readonly RawSchema[],
  keyword: string,
  reason: string,
): SchemaRefused => {
  const source = sources.find((candidate) => Object.hasOwn(candidate, keyword)) ?? document.root
  return new SchemaRefused(document.schemaPath(source), reason)
}
