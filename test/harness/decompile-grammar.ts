import { type CompiledGrammar, type GrammarReader, partKinds, readGrammar } from '../../src/grammar/compiled-grammar.ts'
import { charClass, choice, type Grammar, type GrammarNode, repeat, rule, sequence } from '../../src/grammar/grammar.ts'

type ByteRange = [low: number, high: number]

/** A grammar for the same texts, in which every part is a rule. */
export const decompileGrammar = (compiled: CompiledGrammar): Grammar => {
  const grammar = readGrammar(compiled)
  const rules: Record<string, GrammarNode> = {}
  const found = new Set([grammar.root])
  const ruleAt = (part: number): GrammarNode => {
    found.add(part)
    return rule(String(part))
  }
  const partsOf = (part: number): GrammarNode[] =>
    Array.from({ length: grammar.partCount(part) }, (_, index) => ruleAt(grammar.partAt(part, index)))
  for (const part of found) {
    const kind = grammar.kindOf(part)
    if (kind === partKinds.sequence) rules[part] = sequence(...partsOf(part))
    else if (kind === partKinds.choice) rules[part] = choice(...partsOf(part))
    else if (kind === partKinds.repeat)
      rules[part] = repeat(ruleAt(grammar.repeatedPart(part)), grammar.repeatMin(part), grammar.repeatMax(part))
    else rules[part] = choice(...pathsFrom(grammar, part).map((path) => sequence(...charactersOf(path))))
  }
  return { root: String(grammar.root), rules }
}

/** All ways to an accepting state. */
const pathsFrom = (grammar: GrammarReader, first: number): ByteRange[][] => {
  const paths: ByteRange[][] = []
  const pending: { state: number; path: ByteRange[] }[] = [{ state: first, path: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { state, path } = next
    if (grammar.accepts(state)) paths.push(path)
    for (let edge = 0; edge < grammar.edgeCount(state); edge += 1) {
      const range: ByteRange = [grammar.edgeLow(state, edge), grammar.edgeHigh(state, edge)]
      pending.push({ state: grammar.edgeTarget(state, edge), path: [...path, range] })
    }
  }
  return paths
}

/** The ranges of the bytes of a character cover exactly the characters between the first and the last. */
const charactersOf = (path: readonly ByteRange[]): GrammarNode[] => {
  const characters: GrammarNode[] = []
  for (let at = 0; at < path.length; ) {
    const [lead = 0] = path[at] ?? []
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const ranges = path.slice(at, at + length)
    characters.push(charClass([pointOf(ranges.map(([low]) => low)), pointOf(ranges.map(([, high]) => high))]))
    at += length
  }
  return characters
}

const pointOf = (bytes: number[]): number => Buffer.from(bytes).toString('utf8').codePointAt(0) ?? 0
