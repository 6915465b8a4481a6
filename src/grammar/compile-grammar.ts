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
  return new GrammarCompiler(nullable).compile(trimmed)
}

class GrammarCompiler {
  readonly #nullable: ReadonlySet<string>
  readonly #writer = createByteWriter()
  readonly #rules = new Map<string, Link>()
  readonly #unresolved: { address: number; name: string }[] = []
  readonly #terminals = new Map<string, number>()

  constructor(nullable: ReadonlySet<string>) {
    this.#nullable = nullable
  }

  compile(grammar: Grammar): CompiledGrammar {
    this.#writeLink(grammar.root)
    for (const name of Object.keys(grammar.rules)) this.#rules.set(name, this.#compileNode(findRule(grammar, name)))
    for (const { address, name } of this.#unresolved) this.#writer.setWord(address, this.#ruleAddress(name))
    return this.#writer.finish()
  }

  #compileNode(node: GrammarNode): Link {
    switch (node.type) {
      case 'text':
      case 'class':
        return this.#writeTerminalOnce([node])
      case 'sequence':
        return this.#writeParts(partKinds.sequence, this.#compileAll(node.of))
      case 'choice':
        return this.#compileChoice(node.of)
      case 'repeat':
        return this.#writeRepeat(node)
      case 'rule':
        return node.name
    }
  }

  #compileAll(nodes: readonly GrammarNode[]): Link[] {
    return nodes.map((node) => this.#compileNode(node))
  }

  /** Texts and characters share one automaton, so a list of thousands of words costs one step per byte. */
  #compileChoice(nodes: readonly GrammarNode[]): Link {
    const simple = nodes.filter((node) => node.type === 'text' || node.type === 'class')
    const others = this.#compileAll(nodes.filter((node) => node.type !== 'text' && node.type !== 'class'))
    if (simple.length > 0) others.push(this.#writeTerminalOnce(simple))
    return others.length === 1 && others[0] !== undefined ? others[0] : this.#writeParts(partKinds.choice, others)
  }

  #writeRepeat(node: GrammarNode & { type: 'repeat' }): number {
    if (node.min >= countLimit) throw new GrammarRefused(`${node.min} repetitions are too many`)
    const part = this.#compileNode(node.of)
    const writer = this.#writer
    const address = writer.size()
    writer.byte(partKinds.repeat)
    // Rounds that read nothing may count towards the minimum.
    writer.word(isNullable(node.of, this.#nullable) ? 0 : node.min)
    writer.word(node.max === null ? unlimited : Math.min(node.max, countLimit - 1))
    this.#writeLink(part)
    return address
  }

  #writeParts(kind: number, parts: readonly Link[]): number {
    const address = this.#writer.size()
    this.#writer.byte(kind)
    this.#writer.word(parts.length)
    for (const part of parts) this.#writeLink(part)
    return address
  }

  #writeTerminalOnce(nodes: readonly TerminalNode[]): number {
    const key = JSON.stringify(nodes)
    const address = this.#terminals.get(key) ?? writeTerminal(this.#writer, nodes)
    this.#terminals.set(key, address)
    if (this.#writer.size() > maxBytes) throw new GrammarRefused('the grammar is too large')
    return address
  }

  /** A rule that is written later gets its address at the end. */
  #writeLink(link: Link): void {
    if (typeof link === 'string') this.#unresolved.push({ address: this.#writer.size(), name: link })
    this.#writer.word(typeof link === 'string' ? 0 : link)
  }

  #ruleAddress(name: string): number {
    // A rule that only names another one ends somewhere, because none begins with itself.
    let link: Link | undefined = name
    while (typeof link === 'string') link = this.#rules.get(link)
    if (link === undefined) throw new GrammarRefused(`the grammar has no rule '${name}'`)
    this.#rules.set(name, link)
    return link
  }
}
