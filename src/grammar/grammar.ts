/** A grammar as plain data, so that it can travel to the engine process. Texts and classes are of code points. */
export type GrammarNode =
  | { type: 'text'; text: string }
  | { type: 'class'; ranges: [number, number][] }
  | { type: 'sequence'; of: GrammarNode[] }
  | { type: 'choice'; of: GrammarNode[] }
  | { type: 'repeat'; of: GrammarNode; min: number; max: number | null }
  | { type: 'rule'; name: string }

export type Grammar = { root: string; rules: Record<string, GrammarNode> }
