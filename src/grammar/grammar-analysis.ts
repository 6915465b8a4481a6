import { type Grammar, type GrammarNode, GrammarRefused } from './grammar.ts'

/** The rules that can end: rules that only lead to themselves match no text. */
export const productiveRules = (grammar: Grammar): Set<string> => settle(grammar, isProductive)

export const isProductive = (node: GrammarNode, known: ReadonlySet<string>): boolean => {
  switch (node.type) {
    case 'text':
      return true
    case 'class':
      return node.ranges.some(([low, high]) => low <= high)
    case 'sequence':
      return node.of.every((part) => isProductive(part, known))
    case 'choice':
      return node.of.some((part) => isProductive(part, known))
    case 'repeat':
      return (node.max === null || node.max >= node.min) && (node.min === 0 || isProductive(node.of, known))
    case 'rule':
      return known.has(node.name)
  }
}

/** The rules that match the empty text. */
export const nullableRules = (grammar: Grammar): Set<string> => settle(grammar, isNullable)

export const isNullable = (node: GrammarNode, known: ReadonlySet<string>): boolean => {
  switch (node.type) {
    case 'text':
      return node.text === ''
    case 'class':
      return false
    case 'sequence':
      return node.of.every((part) => isNullable(part, known))
    case 'choice':
      return node.of.some((part) => isNullable(part, known))
    case 'repeat':
      return node.min === 0 || isNullable(node.of, known)
    case 'rule':
      return known.has(node.name)
  }
}

/** A rule that reaches itself before reading a byte, or null. Following it would never end. */
export const leftRecursiveRule = (grammar: Grammar, nullable: ReadonlySet<string>): string | null => {
  const done = new Set<string>()
  const open = new Set<string>()
  const path: { name: string; next: string[] }[] = []
  const enter = (name: string): void => {
    open.add(name)
    path.push({ name, next: firstRules(findRule(grammar, name), nullable) })
  }
  for (const name of Object.keys(grammar.rules)) {
    if (!done.has(name)) enter(name)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop()
      if (next === undefined) {
        path.pop()
        open.delete(top.name)
        done.add(top.name)
      } else if (open.has(next)) return next
      else if (!done.has(next)) enter(next)
    }
  }
  return null
}

export const findRule = (grammar: Grammar, name: string): GrammarNode => {
  const node = Object.hasOwn(grammar.rules, name) ? grammar.rules[name] : undefined
  if (node === undefined) throw new GrammarRefused(`the grammar has no rule '${name}'`)
  return node
}

/** The names of all rules that a node mentions. */
export const mentionedRules = (node: GrammarNode): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (inner: GrammarNode): void => {
    if (inner.type === 'rule') names.add(inner.name)
    else if (inner.type === 'repeat') visit(inner.of)
    else if (inner.type === 'sequence' || inner.type === 'choice') for (const part of inner.of) visit(part)
  }
  visit(node)
  return names
}

/** The size of a node. Long texts and classes with many ranges become automata of their length. */
export const countParts = (node: GrammarNode): number => {
  if (node.type === 'repeat') return 1 + countParts(node.of)
  if (node.type === 'text') return 1 + (node.text.length >> 2)
  if (node.type === 'class') return 1 + (node.ranges.length >> 2)
  if (node.type === 'rule') return 1
  return node.of.reduce((sum, part) => sum + countParts(part), 1)
}

/** The rules that a node may begin with. */
const firstRules = (node: GrammarNode, nullable: ReadonlySet<string>): string[] => {
  const names: string[] = []
  /** Whether the following part may also begin the node. */
  const visit = (inner: GrammarNode): boolean => {
    switch (inner.type) {
      case 'rule':
        names.push(inner.name)
        return nullable.has(inner.name)
      case 'repeat':
        return visit(inner.of) || inner.min === 0
      case 'choice':
        return inner.of.map(visit).some(Boolean)
      case 'sequence':
        return inner.of.every(visit)
      case 'text':
        return inner.text === ''
      case 'class':
        return false
    }
  }
  visit(node)
  return names
}

/**
 * Finds from the bottom up the rules for which `holds` is true. A rule is checked again when one that it mentions is
 * found.
 */
const settle = (grammar: Grammar, holds: (node: GrammarNode, known: ReadonlySet<string>) => boolean): Set<string> => {
  const known = new Set<string>()
  const users = new Map<string, string[]>()
  const names = Object.keys(grammar.rules)
  for (const name of names)
    for (const used of mentionedRules(findRule(grammar, name))) {
      const list = users.get(used)
      if (list === undefined) users.set(used, [name])
      else list.push(name)
    }
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (known.has(name) || !holds(findRule(grammar, name), known)) continue
    known.add(name)
    for (const user of users.get(name) ?? []) names.push(user)
  }
  return known
}
