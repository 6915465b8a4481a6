import { ApiError } from '../../base/api-error.ts'

export type Email = {
  /** As typed, with the domain in lower case. */
  email: string
  /** The form in which two emails are compared. */
  emailKey: string
  /** The part before the @. */
  localPart: string
}

const maxLength = 254
const maxLocalLength = 64

/**
 * Strict enough that an email is exactly one address in a mail header: no spaces, control characters or delimiters that a
 * mail server could read as two. Only a mail can show whether it exists.
 */
const pattern =
  /^([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]+)@([^\s@<>()[\],;:\\"\p{Cc}\p{Cf}.][^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]*)$/u

export const checkEmail = (text: string, param = 'email'): Email => {
  const [, localPart = '', domain = ''] = pattern.exec(text.trim().normalize('NFC')) ?? []
  const email = `${localPart}@${domain.toLowerCase()}`
  const isComplete = localPart !== '' && !domain.endsWith('.') && !domain.includes('..')
  if (!isComplete || email.length > maxLength || localPart.length > maxLocalLength)
    throw ApiError.of('invalid_email', {}, { param })
  return { email, emailKey: email.toLowerCase(), localPart }
}
