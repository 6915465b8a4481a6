import { subtractRanges, tidyRanges } from './code-points.ts'
import { choice, type GrammarNode, text } from './grammar.ts'
import { plainRanges } from './json-text.ts'

/** The same texts as written between the quotes of a JSON string. */
export const jsonEscaped = (node: GrammarNode): GrammarNode => {
  switch (node.type) {
    case 'text':
      return text(inJson(node.text))
    case 'class': {
      const special = subtractRanges(node.ranges, plainRanges)
      if (special.length === 0) return node
      const plain = subtractRanges(tidyRanges(node.ranges), special)
      const escaped = special.flatMap(([low, high]) =>
        Array.from({ length: high - low + 1 }, (_, index) => text(inJson(String.fromCodePoint(low + index)))),
      )
      return choice({ type: 'class', ranges: plain }, ...escaped)
    }
    case 'sequence':
    case 'choice':
      return { type: node.type, of: node.of.map(jsonEscaped) }
    case 'repeat':
      return { ...node, of: jsonEscaped(node.of) }
    case 'rule':
      return node
  }
}

const inJson = (plain: string): string => JSON.stringify(plain).slice(1, -1)
