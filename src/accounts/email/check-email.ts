import { ApiError } from '../../base/api-error.ts'

export type Email = {
  /** As it was typed, its domain in small letters. */
  email: string
  /** Two emails are the same when these are. */
  emailKey: string
  /** What stands before the @. */
  localPart: string
}

const maxLength = 254
const maxLocalLength = 64

/**
 * Strict enough that an email is one address and nothing else in the head of a mail: no spaces, no control characters and
 * none of the marks by which a mail server could read two. Whether it exists, only a mail can tell.
 */
const pattern =
  /^([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]+)@([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}.][^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]*)$/u

export const checkEmail = (text: string, param = 'email'): Email => {
  const [, localPart = '', domain = ''] = pattern.exec(text.trim().normalize('NFC')) ?? []
  const email = `${localPart}@${domain.toLowerCase()}`
  const isWhole = localPart !== '' && !domain.endsWith('.') && !domain.includes('..')
  if (!isWhole || email.length > maxLength || localPart.length > maxLocalLength)
    throw ApiError.of('invalid_email', {}, { param })
  return { email, emailKey: email.toLowerCase(), localPart }
}
