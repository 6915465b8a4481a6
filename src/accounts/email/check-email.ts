import { domainToASCII, domainToUnicode } from 'node:url'
import { ApiError } from '../../base/api-error.ts'

export type Email = {
  /** As typed, with the domain as mail servers read it: in lower case, and full-width letters and dots as ordinary ones. */
  email: string
  /** The form in which two emails are compared, with the letters of its domain instead of Punycode. */
  emailKey: string
  /**
   * The forms that an account may be known by, the one that was typed first: accounts from before Punycode was read have the one they
   * typed, and there may be one for each.
   */
  emailSpellings: readonly string[]
  /** The part before the @. */
  localPart: string
}

const maxLength = 254
const maxLocalLength = 64
/** In any way to write it. Characters are put together first, which takes long for long texts, and nothing has been limited yet. */
const maxTyped = 2 * maxLength

/**
 * Strict enough that an email is exactly one address in a mail header: no spaces, control characters or delimiters that a
 * mail server could read as two. Nor does it have characters that cannot be seen: it would look like somebody else's. Only
 * a mail can show whether it exists.
 */
const pattern =
  /^([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}\p{DI}\u2800]+)@([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}\p{DI}\u2800!#$%&'*+/=?^`{|}~]+)$/u

export const checkEmail = (text: string, param = 'email'): Email => {
  const trimmed = text.trim()
  const composed = trimmed.length > maxTyped ? '' : trimmed.normalize('NFC')
  const [, localPart = '', typed = ''] = pattern.exec(composed) ?? []
  const domain = typed.length > maxLength ? '' : readDomain(typed.toLowerCase())
  const email = `${localPart}@${domain}`
  const isComplete = localPart !== '' && domain.split('.').every((label) => label !== '')
  if (!isComplete || email.length > maxLength || localPart.length > maxLocalLength)
    throw ApiError.of('invalid_email', {}, { param })
  const asTyped = email.toLowerCase()
  const [emailKey, inPunycode] = spellings(domain).map((spelling) => `${localPart}@${spelling}`.toLowerCase())
  const all = [asTyped, emailKey ?? asTyped, inPunycode ?? asTyped]
  return { email, emailKey: emailKey ?? asTyped, emailSpellings: [...new Set(all)], localPart }
}

/** An international domain in its letters and in Punycode; none for any other, and for Punycode that no such domain is written in. */
const spellings = (domain: string): string[] => {
  if (isAscii(domain) && !/(^|\.)xn--/.test(domain)) return []
  const inPunycode = domainToASCII(domain)
  const inLetters = domainToUnicode(inPunycode)
  return inPunycode === '' || domainToASCII(inLetters) !== inPunycode ? [] : [inLetters, inPunycode]
}

/**
 * The same name for every way to write its letters, because a mail would reach the same person (UTS 46); empty if it is none. Punycode
 * stays as typed.
 */
const readDomain = (domain: string): string => (isAscii(domain) ? domain : domainToUnicode(domainToASCII(domain)))

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)
