import { choice, type Grammar, type GrammarNode, repeat, rule, sequence, text } from '../../../grammar/grammar.ts'
import { callStart } from '../output/segments.ts'

/** Stops a model that calls the same function endlessly. */
export const maxParallelCalls = 16

/** What may be called, each with the grammar of its arguments. */
export type CallGrammars = {
  callable: readonly { name: string; arguments: Grammar }[]
  required: boolean
  parallel: boolean
}

/** As the engine's `Constraint`, before the grammar is compiled. */
type OpenConstraint = { grammar: Grammar; after: string | null }

/**
 * The constraint on an answer. A call has one spelling, the one of the chat template, with arguments that conform to the
 * function's schema. If the model may answer with text instead, it is unconstrained until it begins a call.
 */
export const createConstraint = (calling: CallGrammars | null, format: Grammar | null): OpenConstraint | null => {
  if (calling === null) return format === null ? null : { grammar: format, after: null }
  if (calling.required) return { grammar: callsGrammar(calling, [text(callStart), rule('calls')]), after: null }
  if (format === null) return { grammar: callsGrammar(calling, [rule('calls')]), after: callStart }
  const { root, rules } = prefixed(format, 'format')
  const grammar = callsGrammar(calling, [])
  return {
    grammar: {
      root: 'answer',
      rules: {
        ...grammar.rules,
        ...rules,
        answer: choice(sequence(text(callStart), rule('calls')), rule(root)),
      },
    },
    after: null,
  }
}

const callsGrammar = ({ callable, parallel }: CallGrammars, start: GrammarNode[]): Grammar => {
  const rules: Record<string, GrammarNode> = {}
  const calls = callable.map((tool, index) => {
    const { root, rules: own } = prefixed(tool.arguments, `arguments${index}`)
    for (const [name, node] of Object.entries(own)) rules[name] = node
    return sequence(text(`\n{"name": ${JSON.stringify(tool.name)}, "arguments": `), rule(root), text('}\n</tool_call>'))
  })
  const more = parallel ? maxParallelCalls - 1 : 0
  rules.call = choice(...calls)
  rules.calls = sequence(rule('call'), repeat(sequence(text(`\n${callStart}`), rule('call')), 0, more))
  rules.start = sequence(...start)
  return { root: 'start', rules }
}

/** The same grammar with unique names. */
const prefixed = ({ root, rules }: Grammar, prefix: string): Grammar => ({
  root: `${prefix}.${root}`,
  rules: Object.fromEntries(Object.entries(rules).map(([name, node]) => [`${prefix}.${name}`, renamed(node, prefix)])),
})

const renamed = (node: GrammarNode, prefix: string): GrammarNode => {
  switch (node.type) {
    case 'rule':
      return rule(`${prefix}.${node.name}`)
    case 'sequence':
    case 'choice':
      return { type: node.type, of: node.of.map((inner) => renamed(inner, prefix)) }
    case 'repeat':
      return { ...node, of: renamed(node.of, prefix) }
    default:
      return node
  }
}
