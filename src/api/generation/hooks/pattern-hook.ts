import type { HookSetting, SecretShape } from '../../../config/hook-setting.ts'
import { PatternRefused } from '../../../grammar/pattern-refused.ts'
import { type Hook, HookFailure } from './hook.ts'
import { compilePattern } from './scan/compile-pattern.ts'
import { createPatternScanner } from './scan/pattern-scanner.ts'
import { newScanBudget, Redaction } from './scan/redaction.ts'
import type { ScannerKind } from './scan/scanner.ts'
import { createScannerSet, type ScannerSet } from './scan/scanner-set.ts'
import { longestSign, secretScanners, secretSigns } from './scan/secret-scanners.ts'
import { createTurns, type Turns } from './scan/turns.ts'

type PatternHookSetting = Extract<HookSetting, { url: null }>

/** Of texts that have to be scanned, together: more than models can read. The hook cannot decide then. */
const maxLength = 8_000_000
/** Of all patterns of a hook: reading one character takes at most so many steps. */
const maxPairs = 40_000
/** So much of a text is searched for signs at a time. */
const searchedLength = 16_384

/** Throws `PatternRefused` if a pattern is not supported. */
export const createPatternHook = (
  { name, phases, onFailure, secrets, patterns, action }: PatternHookSetting,
  { maxSteps }: { maxSteps?: number } = {},
): Hook => {
  const setOf = createSets(secrets, patterns)
  return {
    name,
    phases,
    onFailure,
    stream: { open: ({ isJson }) => new Redaction(setOf(secrets), { isJson }), action },
    async check(texts, _phase, _context, signal) {
      const turns = createTurns(signal)
      const budget = newScanBudget(maxSteps)
      const replaced: string[] = []
      let count = 0
      let length = 0
      for (const { text, isJson = false } of texts) {
        const found = await findSigns(text, secrets, turns)
        if (found.length + patterns.length === 0) {
          replaced.push(text)
          continue
        }
        length += text.length
        if (length > maxLength) throw new HookFailure('the texts are too long')
        const redaction = new Redaction(setOf(found), { budget, isJson })
        replaced.push(await redactWhole(text, redaction, turns))
        if (redaction.hasGivenUp) throw new HookFailure('the texts take too long')
        count += redaction.count
        if (count > 0 && action === 'block') return { type: 'block' }
      }
      return count === 0 ? { type: 'allow' } : { type: 'replace', action: 'redacted', texts: replaced, count }
    },
  }
}

/** The scanners for some of the secrets, with all patterns: one set for each such choice. */
const createSets = (
  secrets: readonly SecretShape[],
  patterns: readonly string[],
): ((found: readonly SecretShape[]) => ScannerSet) => {
  const automata = patterns.map(compilePattern)
  const pairs = automata.reduce((sum, { follow }) => sum + follow.reduce((all, after) => all + after.length, 0), 0)
  if (pairs > maxPairs) throw new PatternRefused('together with the others it is too complex')
  const own = automata.map((automaton) => createPatternScanner(automaton))
  const bySecret = new Map(secrets.map((shape) => [shape, secretScanners[shape]()]))
  const kindsOf = (found: readonly SecretShape[]): ScannerKind[] => [
    ...found.flatMap((shape) => bySecret.get(shape) ?? []),
    ...own,
  ]
  const sets = new Map<string, ScannerSet>()
  return (found) => {
    const key = found.join()
    const set = sets.get(key) ?? createScannerSet(kindsOf(found))
    sets.set(key, set)
    return set
  }
}

/** The secrets that the text may contain. */
const findSigns = async (text: string, secrets: readonly SecretShape[], turns: Turns): Promise<SecretShape[]> => {
  const found: SecretShape[] = []
  for (const shape of secrets) if (await hasSign(text, secretSigns[shape], turns)) found.push(shape)
  return found
}

/** A piece overlaps with the next one, so that each match is in one of them. */
const hasSign = async (text: string, sign: RegExp, turns: Turns): Promise<boolean> => {
  for (let from = 0; from < text.length; from += searchedLength) {
    const piece = text.slice(from, from + searchedLength + longestSign)
    if (turns.isOver(piece.length)) await turns.next()
    if (sign.test(piece)) return true
  }
  return false
}

const redactWhole = async (text: string, redaction: Redaction, turns: Turns): Promise<string> => {
  let replaced = ''
  for (let from = 0; from < text.length; ) {
    const { passed, to, steps } = redaction.read(text, from, turns.left)
    replaced += passed
    from = to
    if (turns.isOver(steps)) await turns.next()
  }
  return replaced + redaction.end()
}
