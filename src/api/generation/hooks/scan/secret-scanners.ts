import type { SecretShape } from '../../../../config/hook-setting.ts'
import { cardScanner } from './card-scanner.ts'
import { compilePattern } from './compile-pattern.ts'
import { createPatternScanner } from './pattern-scanner.ts'
import type { ScannerKind } from './scanner.ts'

/** Keys of providers, as their documents describe them. */
const apiKeys = [
  'sk-[A-Za-z0-9_-]{32,}',
  '(sk|rk)_(live|test)_[A-Za-z0-9]{20,}',
  'gsk_[A-Za-z0-9]{40,}',
  'xai-[A-Za-z0-9]{40,}',
  'AIza[A-Za-z0-9_-]{35}',
  '(AKIA|ASIA)[A-Z0-9]{16}',
  'gh[pousr]_[A-Za-z0-9]{36,}',
  'github_pat_[A-Za-z0-9_]{40,}',
  'glpat-[A-Za-z0-9_-]{20,}',
  'hf_[A-Za-z0-9]{30,}',
  'xox[abeprs]-[A-Za-z0-9-]{20,}',
]
/** With what follows the header, as far as it may be a key. */
const privateKey = '-----BEGIN [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----[A-Za-z0-9+/=\\s\\\\:,.-]*'
const longestKey = 8192
const email = '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+'

/** One scanner for all of them: most characters begin none. */
const words = (patterns: readonly string[]): ScannerKind[] => [
  createPatternScanner(compilePattern(`\\b(${patterns.join('|')})`)),
]

export const secretScanners: Record<SecretShape, () => ScannerKind[]> = {
  api_keys: () => words(apiKeys),
  private_keys: () => [createPatternScanner(compilePattern(privateKey), { maxLength: longestKey })],
  cards: () => [cardScanner],
  emails: () => words([email]),
}

/** As many characters as there must be: what follows changes nothing, and takes no time. */
const shortest = (pattern: string): string => pattern.replaceAll(/\{(\d+),\}/g, '{$1}')

/**
 * Every text with such a secret matches these, and few others do: they are looked for by the engine's own search, which reads a
 * million characters in a few milliseconds. Repetitions are bounded, so it cannot take long for any text, and a match has at most
 * `longestSign` characters.
 */
export const secretSigns: Readonly<Record<SecretShape, RegExp>> = {
  api_keys: new RegExp(`\\b(?:${apiKeys.map(shortest).join('|')})`),
  private_keys: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  cards: /\d(?:[ -]?\d){13}/,
  emails: /[A-Za-z0-9._%+-]@[A-Za-z0-9-]/,
}

export const longestSign = 128
