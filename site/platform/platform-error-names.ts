import type { ErrorName } from '../../src/base/errors.ts'

/** What the site's own routes refuse with; callers of the API never meet these. */
export const platformErrorNames = [
  'not_signed_in',
  'wrong_credentials',
  'wrong_password',
  'invalid_link',
  'invalid_email',
  'weak_password',
  'confirmation_mismatch',
  'cross_site',
  'owner_only',
  'sign_up_closed',
  'invitation_needed',
  'key_not_found',
  'session_not_found',
  'account_not_found',
  'email_taken',
  'last_owner',
  'mail_not_configured',
  'too_many_attempts',
  'sign_in_busy',
] as const satisfies readonly ErrorName[]
