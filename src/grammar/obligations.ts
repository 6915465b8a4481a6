import { checkKeywords, hasFacets } from './check-keywords.ts'
import { never, type RawSchema, type SchemaDocument } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Branches; a value must fit one of them. */
export type Branches = { keyword: 'anyOf' | 'oneOf'; owner: RawSchema; options: readonly unknown[] }

/**
 * Everything a value must fit at once: schemas to be resolved, schemas of which only their own keywords still count,
 * and branches.
 */
export type Obligations = { schemas: RawSchema[]; facets: RawSchema[]; branches: Branches[] }

export const mustFit = (...schemas: RawSchema[]): Obligations => ({ schemas, facets: [], branches: [] })

const maxReferences = 400

export interface Unfolder {
  /** Follows references and `allOf` until only keywords and branches are left; null if no value can fit. */
  unfold(obligations: Obligations): Obligations | null
}

/** `walk` counts visited schemas. */
export const createUnfolder = (document: SchemaDocument, strict: boolean, walk: (steps: number) => void): Unfolder => {
  /** Checked schemas, each with whether it has keywords of its own. */
  const checked = new Map<RawSchema, boolean>()
  const knownBranches = new Map<unknown, Branches>()

  const check = (schema: RawSchema): boolean => {
    const known = checked.get(schema)
    if (known !== undefined) return known
    const problem = checkKeywords(schema, strict)
    if (problem !== null) throw new SchemaRefused(document.schemaPath(schema), problem.reason)
    // Below it, `#` would refer to another document.
    if (schema !== document.root && typeof schema.$id === 'string' && !schema.$id.startsWith('#'))
      throw new SchemaRefused(document.schemaPath(schema), `'$id' is only permitted at the root.`)
    const limits = hasFacets(schema)
    checked.set(schema, limits)
    return limits
  }

  /** Returns the same object for the same branches, so that obligations can be compared. */
  const branches = (owner: RawSchema, keyword: 'anyOf' | 'oneOf'): Branches[] => {
    const options = owner[keyword]
    if (!Array.isArray(options)) return []
    const known = knownBranches.get(options) ?? { keyword, owner, options }
    knownBranches.set(options, known)
    return [known]
  }

  const unfold = (obligations: Obligations): Obligations | null => {
    walk(obligations.schemas.length + obligations.facets.length + obligations.branches.length)
    const facets = new Set(obligations.facets)
    const open = new Set<RawSchema>()
    const done = new Set<RawSchema>()
    const found = new Set(obligations.branches)
    const visit = (schema: RawSchema): boolean => {
      if (schema === never) return false
      if (open.has(schema))
        throw new SchemaRefused(document.schemaPath(schema), 'the schema contains an infinite recursion.')
      if (done.has(schema)) return true
      if (open.size > maxReferences)
        throw new SchemaRefused(document.schemaPath(schema), 'references form an endless cycle.')
      const parts = Array.isArray(schema.allOf) ? schema.allOf : []
      walk(1 + parts.length)
      const limits = check(schema)
      open.add(schema)
      if (limits) facets.add(schema)
      for (const keyword of ['anyOf', 'oneOf'] as const) for (const one of branches(schema, keyword)) found.add(one)
      let possible = schema.$ref === undefined || visit(document.resolve(schema, schema.$ref))
      for (const [index, part] of parts.entries())
        possible = visit(document.schemaAt(schema, part, 'allOf', `${index}`)) && possible
      open.delete(schema)
      done.add(schema)
      return possible
    }
    const possible = obligations.schemas.map(visit).every(Boolean)
    return possible ? { schemas: [], facets: [...facets], branches: [...found] } : null
  }
  return { unfold }
}
