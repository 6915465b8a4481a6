import type { Grammar, GrammarNode } from './grammar.ts'
import { GrammarRefused } from './grammar-refused.ts'

/** The rules that can end: rules that only lead into themselves match no text at all. */
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

/** A rule that comes back to itself before any byte is read, or null. Following it would never end. */
export const leftRecursiveRule = (grammar: Grammar, nullable: ReadonlySet<string>): string | null => {
  const done = new Set<string>()
  const open = new Set<string>()
  const path: { name: string; next: string[] }[] = []
  const enter = (name: string): void => {
    open.add(name)
    path.push({ name, next: firstRules(ruleOf(grammar, name), nullable) })
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

export const ruleOf = (grammar: Grammar, name: string): GrammarNode => {
  const node = Object.hasOwn(grammar.rules, name) ? grammar.rules[name] : undefined
  if (node === undefined) throw new GrammarRefused(`the grammar has no rule '${name}'`)
  return node
}

/** The names of all rules that a node mentions. */
export const mentionedRules = (node: GrammarNode): string[] => {
  if (node.type === 'rule') return [node.name]
  if (node.type === 'repeat') return mentionedRules(node.of)
  if (node.type === 'sequence' || node.type === 'choice') return node.of.flatMap(mentionedRules)
  return []
}

/** How much there is to walk through in a node. */
export const countParts = (node: GrammarNode): number => {
  if (node.type === 'repeat') return 1 + countParts(node.of)
  if (node.type !== 'sequence' && node.type !== 'choice') return 1
  return node.of.reduce((sum, part) => sum + countParts(part), 1)
}

const firstRules = (node: GrammarNode, nullable: ReadonlySet<string>): string[] => {
  if (node.type === 'rule') return [node.name]
  if (node.type === 'repeat') return firstRules(node.of, nullable)
  if (node.type === 'choice') return node.of.flatMap((part) => firstRules(part, nullable))
  if (node.type !== 'sequence') return []
  const stop = node.of.findIndex((part) => !isNullable(part, nullable))
  return node.of.slice(0, stop === -1 ? undefined : stop + 1).flatMap((part) => firstRules(part, nullable))
}

/** Finds from the bottom up for which rules a fact holds; a rule is looked at again when one that it mentions is found. */
const settle = (grammar: Grammar, holds: (node: GrammarNode, known: ReadonlySet<string>) => boolean): Set<string> => {
  const known = new Set<string>()
  const users = new Map<string, string[]>()
  const names = Object.keys(grammar.rules)
  for (const name of names)
    for (const used of new Set(mentionedRules(ruleOf(grammar, name)))) {
      const list = users.get(used)
      if (list === undefined) users.set(used, [name])
      else list.push(name)
    }
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (known.has(name) || !holds(ruleOf(grammar, name), known)) continue
    known.add(name)
    for (const user of users.get(name) ?? []) names.push(user)
  }
  return known
}
