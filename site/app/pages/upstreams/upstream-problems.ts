import { builtInTools } from '../../../../src/config/built-in-tools.ts'
import { upstreamCapabilities, upstreamFields } from '../../../../src/config/upstream-names.ts'
import { itemsIn, type UpstreamFields, type UpstreamTextName } from './upstream-fields.ts'

/** What is wrong with each field. */
export type UpstreamProblems = Partial<Record<UpstreamTextName, string>>

export type ProblemWords = {
  nameNeeded: string
  nameWrong: string
  urlNeeded: string
  urlWrong: string
  keyWrong: string
  wholeNumber: string
  secondsWrong: string
  priceWrong: string
  unknownItem(item: string, known: string): string
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u
const keyPattern = /^[\x21-\x7e]{1,1000}$/
const amountPattern = /^\d{1,7}(\.\d{1,6})?$/
const longestSeconds = 3600
const highestPrice = 1_000_000
const mostInFlight = 10_000

/** What the server would refuse, in the reader's language. It checks again. */
export const upstreamProblems = (fields: UpstreamFields, words: ProblemWords): UpstreamProblems => {
  const problems: UpstreamProblems = {}
  const check = (name: UpstreamTextName, isRight: (text: string) => boolean, problem: string, missing?: string) => {
    const text = fields[name].trim()
    if (text === '' ? missing !== undefined : !isRight(text))
      problems[name] = text === '' ? (missing ?? problem) : problem
  }
  const checkItems = (name: UpstreamTextName, known: readonly string[]) => {
    const unknown = itemsIn(fields[name]).find((item) => !known.includes(item))
    if (unknown !== undefined) problems[name] = words.unknownItem(unknown, known.join(', '))
  }
  check('name', (text) => namePattern.test(text), words.nameWrong, words.nameNeeded)
  check('url', isBaseUrl, words.urlWrong, words.urlNeeded)
  check('key', (text) => keyPattern.test(text), words.keyWrong)
  check(
    'maxInFlight',
    (text) => /^\d{1,5}$/.test(text) && isWithin(text, 1, mostInFlight),
    words.wholeNumber,
    words.wholeNumber,
  )
  for (const name of ['connectSeconds', 'firstByteSeconds', 'silenceSeconds'] as const)
    check(name, (text) => /^\d+(\.\d+)?$/.test(text) && isWithin(text, 0.001, longestSeconds), words.secondsWrong)
  for (const name of ['promptPrice', 'cachedPrice', 'completionPrice'] as const)
    check(name, (text) => amountPattern.test(text) && isWithin(text, 0, highestPrice), words.priceWrong)
  checkItems('features', ['none', ...upstreamFields])
  checkItems('capabilities', upstreamCapabilities)
  checkItems('builtInTools', builtInTools)
  return problems
}

const isWithin = (text: string, least: number, most: number): boolean => Number(text) >= least && Number(text) <= most

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null) return false
  const { protocol, search, hash, username, password } = url
  return /^https?:$/.test(protocol) && `${search}${hash}${username}${password}` === ''
}
