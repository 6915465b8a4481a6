import type { Grammar, GrammarNode } from '../../src/grammar/grammar.ts'

/** Marks a rule that cannot end, while the heights of rules are computed. */
const unknown = Number.POSITIVE_INFINITY

/**
 * A random text of a grammar. Beyond `maxBytes` it ends everything still open as briefly as possible, so the text may
 * become slightly longer. `random` returns numbers from 0 (inclusive) to 1 (exclusive).
 */
export const speakGrammar = (
  { root, rules }: Grammar,
  random: () => number,
  { maxBytes = 2_000 }: { maxBytes?: number } = {},
): string => {
  const heights = ruleHeights(rules)
  const pick = (count: number): number => Math.min(Math.floor(random() * count), count - 1)
  const spoken: string[] = []
  let bytes = 0
  const say = (words: string): void => {
    spoken.push(words)
    bytes += Buffer.byteLength(words)
  }
  // The remaining items, innermost last: rules may nest far deeper than the call stack allows.
  const pending: GrammarNode[] = [{ type: 'rule', name: root }]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const hurried = bytes > maxBytes
    switch (node.type) {
      case 'text':
        say(node.text)
        break
      case 'class':
        say(speakClass(node.ranges, pick))
        break
      case 'sequence':
        pending.push(...node.of.toReversed())
        break
      case 'rule':
        pending.push(rules[node.name] ?? { type: 'choice', of: [] })
        break
      case 'choice': {
        const costs = node.of.map((option) => heightOf(option, heights))
        const possible = node.of.filter((_, index) => (costs[index] ?? unknown) < unknown)
        const option = hurried ? node.of[costs.indexOf(Math.min(...costs))] : possible[pick(possible.length)]
        if (option === undefined) throw new Error('the grammar leads nowhere')
        pending.push(option)
        break
      }
      case 'repeat': {
        const max = hurried || heightOf(node.of, heights) === unknown ? node.min : (node.max ?? node.min + 8)
        // Few repetitions find more errors than many, but occasionally it goes to the limit.
        const rounds = random() < 0.1 ? max : Math.min(max, node.min + pick(5))
        for (let round = 0; round < Math.min(rounds, node.min + 2_000); round += 1) pending.push(node.of)
        break
      }
    }
  }
  return spoken.join('')
}

const speakClass = (ranges: [number, number][], pick: (count: number) => number): string => {
  const [low, high] = ranges[pick(ranges.length)] ?? [0x3f, 0x3f]
  // Errors are most likely for characters near the ends of a range.
  const offset = pick(4) === 0 ? pick(high - low + 1) : Math.min(pick(95), high - low)
  const point = pick(2) === 0 ? low + offset : high - offset
  return point >= 0xd800 && point <= 0xdfff ? '\ue000' : String.fromCodePoint(point)
}

/** The minimum number of nested rules needed to complete a rule. */
const ruleHeights = (rules: Record<string, GrammarNode>): Map<string, number> => {
  const heights = new Map<string, number>()
  for (let changed = true; changed; ) {
    changed = false
    for (const [name, node] of Object.entries(rules).toReversed()) {
      const height = 1 + heightOf(node, heights)
      if (height >= (heights.get(name) ?? unknown)) continue
      heights.set(name, height)
      changed = true
    }
  }
  return heights
}

const heightOf = (node: GrammarNode, heights: Map<string, number>): number => {
  switch (node.type) {
    case 'rule':
      return heights.get(node.name) ?? unknown
    case 'sequence':
      return node.of.reduce((max, part) => Math.max(max, heightOf(part, heights)), 0)
    case 'choice':
      return node.of.reduce((least, part) => Math.min(least, heightOf(part, heights)), unknown)
    case 'repeat':
      return node.min === 0 ? 0 : heightOf(node.of, heights)
    default:
      return 0
  }
}
