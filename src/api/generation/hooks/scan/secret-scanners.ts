import type { SecretShape } from '../../../../config/hook-setting.ts'
import { cardScanner, cardSeparators } from './card-scanner.ts'
import { compilePattern } from './compile-pattern.ts'
import { createPatternScanner } from './pattern-scanner.ts'
import type { ScannerKind } from './scanner.ts'

/** Keys of providers, as their documents describe them, and those of this server. */
const apiKeys = [
  'sk-[A-Za-z0-9_-]{32,}',
  '(sk|rk)_(live|test)_[A-Za-z0-9]{20,}',
  'hx_live_[A-Za-z0-9]{39}',
  'whsec_[A-Za-z0-9+/=]{32,}',
  'gsk_[A-Za-z0-9]{40,}',
  'xai-[A-Za-z0-9]{40,}',
  'pplx-[A-Za-z0-9]{40,}',
  'nvapi-[A-Za-z0-9_-]{40,}',
  'AIza[A-Za-z0-9_-]{35}',
  '(AKIA|ASIA)[A-Z0-9]{16}',
  'gh[pousr]_[A-Za-z0-9]{36,}',
  'github_pat_[A-Za-z0-9_]{40,}',
  'glpat-[A-Za-z0-9_-]{20,}',
  'hf_[A-Za-z0-9]{30,}',
  'npm_[A-Za-z0-9]{36}',
  'r8_[A-Za-z0-9]{37}',
  'xox[abeprs]-[A-Za-z0-9-]{20,}',
]
/** Signed or encrypted, in the compact form (RFC 7515 §7.1, RFC 7516 §7.1): the first part is an object of JSON in Base64. */
const [tokenBegins, tokenPart] = ['eyJ[A-Za-z0-9_-]{12}', '[A-Za-z0-9_-]']
const token = `${tokenBegins}${tokenPart}*(\\.${tokenPart}{8,}\\.${tokenPart}*|\\.\\.${tokenPart}{8,})(\\.${tokenPart}+){0,2}`
const longestToken = 8192

const inAnyCase = (text: string): string => text.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
/** As files, variables, commands, programs and pages of AWS call its secret keys, which have no prefix of their own. */
const awsName = inAnyCase('secret[_ -]?(access[_ -]?)?key')
/** `+` is such an escape in the JSON of some programs, as quotation marks are. */
const unicodeEscape = '\\\\{1,4}u\ufffd{4}'
const awsSeparators = `([\\s:=>,|*"'\`]|\\\\{1,4}["'nrt]|${unicodeEscape}){1,12}`
/** 40 characters of Base64, whatever escapes stand for some of them. The first of them is none: it would be a quotation mark. */
const awsSecret = `[A-Za-z0-9+/]([A-Za-z0-9+/]|\\\\{1,4}/|${unicodeEscape}){39}`

/** How a line ends, in a string of JSON or a program too. */
const lineEnd = '(\\r?\\n|\\\\{1,4}r?\\\\{0,4}n)'
/** Such as `Version: GnuPG v2 (GNU/Linux)`. */
const keyHeader = `${lineEnd}[A-Za-z-]{1,20}: [^\\r\\n"\\\\]*`
/** Base64, in lines. Five hyphens are the end of the key. In JSON, digits of an escape are replaced before. */
const keyText = '-{0,4}([A-Za-z0-9+/=\\s:,.]|\\\\{1,4}[nrtu/\\s]\ufffd{0,4})'
const keyEnd = '-----END [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----'
/** With what follows the header, as far as it may be the key. */
const privateKey = `-----BEGIN [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----(${keyHeader})*(${keyText})*(${keyEnd})?`
const longestKey = 8192
/** Letters of Latin languages, and of full width, as Japanese keyboards write them. */
const letters = 'A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024fＡ-Ｚａ-ｚ'
const localPart = `[${letters}0-9０-９._%+．＿％＋－-]`
const label = `[${letters}0-9０-９－-]`
/** The last part of a domain begins with a letter: `react@19.2.0` is a version. */
const email = `${localPart}+[@＠](${label}+[.．])+[${letters}]${label}+`

/** One scanner for all of them: most characters begin none. */
const words = (patterns: readonly string[]): ScannerKind[] => [
  createPatternScanner(compilePattern(`\\b(${patterns.join('|')})`)),
]

export const secretScanners: Record<SecretShape, () => ScannerKind[]> = {
  api_keys: () => [
    ...words(apiKeys),
    createPatternScanner(compilePattern(`\\b${token}`), { maxLength: longestToken }),
    createPatternScanner(compilePattern(awsSecret), {
      after: createPatternScanner(compilePattern(`${awsName}${awsSeparators}`)),
    }),
  ],
  private_keys: () => [createPatternScanner(compilePattern(privateKey), { maxLength: longestKey })],
  cards: () => [cardScanner],
  emails: () => words([email]),
}

/** As many characters as there must be: what follows changes nothing, and takes no time. */
const shortest = (pattern: string): string => pattern.replaceAll(/\{(\d+),\}/g, '{$1}')

/** Where a word begins, also behind an escape of JSON. */
const wordBegins = '(?:\\b|(?<=\\\\[bfnrt])|(?<=\\\\u[0-9A-Fa-f]{4}))'

/**
 * Every text with such a secret matches these, and few others do: they are looked for by the engine's own search, which reads a
 * million characters in a few milliseconds. Repetitions are bounded, so it cannot take long for any text, and a match has at most
 * `longestSign` characters.
 */
export const secretSigns: Readonly<Record<SecretShape, RegExp>> = {
  api_keys: new RegExp(`${wordBegins}(?:${[...apiKeys.map(shortest), tokenBegins].join('|')})|${awsName}`),
  private_keys: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  cards: new RegExp(`[0-9０-９](?:[${cardSeparators}]?[0-9０-９]){13}`),
  emails: new RegExp(`${localPart}[@＠]${label}`),
}

export const longestSign = 128
