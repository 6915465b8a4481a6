import { ApiError } from '../../base/api-error.ts'
import { commonPasswords, commonWords } from './common-passwords.ts'

const minCharacters = 10
const maxCharacters = 256
/** Some input methods write a character as three. Putting them together takes long for long texts, and nothing has been limited yet. */
const maxTyped = 3 * maxCharacters

type Reason = 'too_short' | 'too_long' | 'common' | 'same_as_email'

const advice: Record<Reason, string> = {
  too_short: `use at least ${minCharacters} characters`,
  too_long: `use at most ${maxCharacters} characters`,
  common: 'it is too common',
  same_as_email: 'it is the same as the email',
}

/**
 * Checks length and commonness. There are no rules about required characters: they make passwords harder to remember, not
 * harder to guess.
 */
export const checkPassword = (password: string, emailKey: string, param: 'password' | 'newPassword'): void => {
  const reason = password.length > maxTyped ? 'too_long' : weakness(normalisePassword(password), emailKey)
  if (reason !== null) throw ApiError.of('weak_password', { reason, advice: advice[reason] }, { param })
}

/** One encoding for text that looks the same, so that every keyboard and input method yields the same password. */
export const normalisePassword = (password: string): string => password.normalize('NFKC')

const weakness = (password: string, emailKey: string): Reason | null => {
  const characters = [...password]
  if (characters.length < minCharacters) return 'too_short'
  if (characters.length > maxCharacters) return 'too_long'
  const lower = password.toLowerCase()
  if (lower === emailKey) return 'same_as_email'
  return isCommon(lower) ? 'common' : null
}

/** On the list; a common word with digits or punctuation around it; up to four characters repeated; a run on the keyboard. */
const isCommon = (lower: string): boolean =>
  commonPasswords.has(lower) || isDecoratedWord(lower) || /^(.{1,4}?)\1+.?$/su.test(lower) || isRun(lower)

const substitutes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '@': 'a',
}

const isDecoratedWord = (lower: string): boolean => {
  const bare = lower.replace(/^\P{L}+|\P{L}+$/gu, '')
  if (bare === '') return isDate(lower)
  const plain = [...bare].map((character) => substitutes[character] ?? character).join('')
  return commonWords.has(bare) || commonWords.has(plain)
}

/** A date such as 19900131, followed by up to four digits. */
const isDate = (lower: string): boolean => /^(19|20)\d{2}(0\d|1[0-2])([0-2]\d|3[01])\d{0,4}$/.test(lower)

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])

const isRun = (lower: string): boolean => runs.some((run) => run.includes(lower))
