import type { OutgoingHttpHeaders } from 'node:http'

/** The hashes of an inline style and script, for the one page that has no files yet. */
type Inline = { style: string; script: string }

/** What a page may do: run our own scripts and styles from files, call our own server, and nothing else. */
const contentSecurityPolicy = (inline: Inline | null): string =>
  [
    "default-src 'none'",
    `script-src 'self'${inline === null ? '' : ` '${inline.script}'`}`,
    `style-src 'self'${inline === null ? '' : ` '${inline.style}'`}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export const fileHeaders = (isSecure: boolean): OutgoingHttpHeaders => ({
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // A browser that used HTTPS once never tries without it again.
  ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

export const pageHeaders = (isSecure: boolean, inline: Inline | null = null): OutgoingHttpHeaders => ({
  ...fileHeaders(isSecure),
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(inline),
  // Not `no-referrer`: browsers would then hide the Origin from our own forms' checks.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
})
