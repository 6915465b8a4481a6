import { createByteWriter } from './byte-writer.ts'
import { type CompiledGrammar, partKinds, unlimited } from './compiled-grammar.ts'
import { type Grammar, type GrammarNode, GrammarRefused } from './grammar.ts'
import { findRule, isNullable, leftRecursiveRule, nullableRules } from './grammar-analysis.ts'
import { type TerminalNode, writeTerminal } from './terminal.ts'
import { trimGrammar } from './trim-grammar.ts'

/** A matcher keeps counts in the lower bits of a number, next to the address of a part. */
export const countLimit = 2 ** 26
const maxBytes = 2 ** 26

/** The address of a part, or the name of a rule that is written later. */
type Link = number | string

/**
 * Prepares a grammar for matching: names become addresses, and everything that reads bytes a small automaton. Throws
 * `GrammarRefused` for a grammar that allows no text, begins with itself, or lacks a rule.
 */
export const compileGrammar = (grammar: Grammar): CompiledGrammar => {
  const trimmed = trimGrammar(grammar)
  if (trimmed === null) throw new GrammarRefused('the grammar allows no text')
  const nullable = nullableRules(trimmed)
  const circle = leftRecursiveRule(trimmed, nullable)
  if (circle !== null) throw new GrammarRefused(`the rule '${circle}' begins with itself`)

  const writer = createByteWriter()
  const unresolved: { address: number; name: string }[] = []
  const terminals = new Map<string, number>()
  const writeLink = (link: Link): void => {
    if (typeof link === 'string') unresolved.push({ address: writer.size(), name: link })
    writer.word(typeof link === 'string' ? 0 : link)
  }
  const writeTerminalOnce = (nodes: readonly TerminalNode[]): number => {
    const key = JSON.stringify(nodes)
    const address = terminals.get(key) ?? writeTerminal(writer, nodes)
    terminals.set(key, address)
    if (writer.size() > maxBytes) throw new GrammarRefused('the grammar is too large')
    return address
  }
  const writeParts = (kind: number, parts: readonly Link[]): number => {
    const address = writer.size()
    writer.byte(kind)
    writer.word(parts.length)
    for (const part of parts) writeLink(part)
    return address
  }
  const writeRepeat = (node: GrammarNode & { type: 'repeat' }): number => {
    if (node.min >= countLimit) throw new GrammarRefused(`${node.min} repetitions are too many`)
    const part = compile(node.of)
    const address = writer.size()
    writer.byte(partKinds.repeat)
    // Rounds that read nothing may count towards the minimum.
    writer.word(isNullable(node.of, nullable) ? 0 : node.min)
    writer.word(node.max === null ? unlimited : Math.min(node.max, countLimit - 1))
    writeLink(part)
    return address
  }
  const compile = (node: GrammarNode): Link => {
    switch (node.type) {
      case 'text':
      case 'class':
        return writeTerminalOnce([node])
      case 'sequence':
        return writeParts(partKinds.sequence, node.of.map(compile))
      case 'choice':
        return compileChoice(node.of)
      case 'repeat':
        return writeRepeat(node)
      case 'rule':
        return node.name
    }
  }
  /** Texts and characters share one automaton, so a list of thousands of words costs one step per byte. */
  const compileChoice = (nodes: GrammarNode[]): Link => {
    const simple = nodes.filter((node) => node.type === 'text' || node.type === 'class')
    const others = nodes.filter((node) => node.type !== 'text' && node.type !== 'class').map(compile)
    if (simple.length > 0) others.push(writeTerminalOnce(simple))
    return others.length === 1 && others[0] !== undefined ? others[0] : writeParts(partKinds.choice, others)
  }

  const rules = new Map<string, Link>()
  const ruleAddress = (name: string): number => {
    // A rule that only names another one ends somewhere, because none begins with itself.
    let link: Link | undefined = name
    while (typeof link === 'string') link = rules.get(link)
    if (link === undefined) throw new GrammarRefused(`the grammar has no rule '${name}'`)
    rules.set(name, link)
    return link
  }
  writeLink(trimmed.root)
  for (const name of Object.keys(trimmed.rules)) rules.set(name, compile(findRule(trimmed, name)))
  for (const { address, name } of unresolved) writer.setWord(address, ruleAddress(name))
  return writer.finish()
}
