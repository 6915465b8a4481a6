import { subtractRanges } from './code-points.ts'
import { choice, empty, type GrammarNode, repeat, sequence, text } from './grammar.ts'
import type { GrammarBuilder } from './grammar-builder.ts'
import { plainRanges, quoted } from './json-text.ts'

type Branch = { isName: boolean; next: Map<string, Branch> }

/**
 * Keys other than these names. They are written without escapes, so an alternative spelling of a name cannot match.
 */
export const otherKeys = (builder: GrammarBuilder, names: readonly string[]): GrammarNode => {
  const root: Branch = { isName: false, next: new Map() }
  for (const name of names) {
    builder.walk(1 + name.length)
    let here = root
    for (const character of name) {
      const known = here.next.get(character)
      if (known === undefined) builder.spend(1)
      const next = known ?? { isName: false, next: new Map() }
      here.next.set(character, next)
      here = next
    }
    here.isName = true
  }
  const anyRest = repeat({ type: 'class', ranges: plainRanges })
  const first = builder.reserve()
  const pending = [{ branch: root, rule: first }]
  for (const { branch, rule } of pending) {
    const taken = [...branch.next.keys()].map((character) => character.codePointAt(0) ?? 0)
    const strange = subtractRanges(
      plainRanges,
      taken.map((point) => [point, point]),
    )
    const options = [...branch.next]
      .filter(([character]) => isPlain(character))
      .map(([character, next]) => {
        const inner = builder.reserve()
        pending.push({ branch: next, rule: inner })
        return sequence(text(character), inner.node)
      })
    if (!branch.isName) options.push(empty)
    rule.fill(choice(...options, sequence({ type: 'class', ranges: strange }, anyRest)))
  }
  return quoted(first.node)
}

/** Such a key cannot contain a character that needs an escape. */
const isPlain = (character: string): boolean => JSON.stringify(character) === `"${character}"`
