import { ApiError } from '../../base/api-error.ts'
import { commonPasswords, commonWords } from './common-passwords.ts'

const minCharacters = 10
const maxCharacters = 256

type Reason = 'too_short' | 'too_long' | 'common' | 'same_as_email'

const advice: Record<Reason, string> = {
  too_short: `use at least ${minCharacters} characters`,
  too_long: `use at most ${maxCharacters} characters`,
  common: 'it is too common',
  same_as_email: 'it is the same as the email',
}

/**
 * Length and commonness, and no rules on which characters there must be: those make passwords harder to keep in mind, not
 * harder to guess.
 */
export const checkPassword = (password: string, emailKey: string, param: 'password' | 'newPassword'): void => {
  const reason = weakness(normalizePassword(password), emailKey)
  if (reason !== null) throw ApiError.of('weak_password', { reason, advice: advice[reason] }, { param })
}

/** One spelling for what looks the same, so that another keyboard or input method makes the same password. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

const weakness = (password: string, emailKey: string): Reason | null => {
  const characters = [...password]
  if (characters.length < minCharacters) return 'too_short'
  if (characters.length > maxCharacters) return 'too_long'
  const small = password.toLowerCase()
  if (small === emailKey) return 'same_as_email'
  return isCommon(small) ? 'common' : null
}

/** On the list; a common word with figures and marks around it; one or two characters, or a short piece, over and over; a run. */
const isCommon = (small: string): boolean =>
  commonPasswords.has(small) || isDressedWord(small) || /^(.{1,4}?)\1+.?$/su.test(small) || isRun(small)

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

const isDressedWord = (small: string): boolean => {
  const bare = small.replace(/^\P{L}+|\P{L}+$/gu, '')
  if (bare === '') return isDate(small)
  const plain = [...bare].map((character) => substitutes[character] ?? character).join('')
  return commonWords.has(bare) || commonWords.has(plain)
}

/** Nothing but a day of somebody's life, with up to four figures behind it. */
const isDate = (small: string): boolean => /^(19|20)\d{2}(0\d|1[0-2])([0-2]\d|3[01])\d{0,4}$/.test(small)

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])

const isRun = (small: string): boolean => runs.some((run) => run.includes(small))
