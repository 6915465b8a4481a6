import type { Redact } from '../../base/create-redactor.ts'

const maxCharacters = 500
/** Control characters, half characters, and what changes the direction of text, breaks lines or is invisible. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\s]+/gu
/** The page of a proxy, which tells callers nothing about their request. */
const page = /<(?:!doctype|html|head|body|title|script|style)\b/i

/** What an upstream says about a request, as callers may read it: one line of bounded length. Null if nothing is left. */
export const cleanReason = (reason: string, redact: Redact): string | null => {
  if (page.test(reason)) return null
  // Before it is cut, so that no part of a secret is left.
  const line = redact(reason.replace(unprintable, ' ').trim())
  if (line === '') return null
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
