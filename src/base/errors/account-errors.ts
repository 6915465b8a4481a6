import type { ErrorRow } from './error-row.ts'

/** Errors of the site: sign-in, organisations, members and the resources they manage. */
export const accountErrors = {
  not_signed_in: {
    status: 401,
    code: 'not_signed_in',
    message: 'You are not signed in, or your session has expired. Sign in and try again.',
  },
  wrong_credentials: {
    status: 401,
    code: 'wrong_credentials',
    message: 'Incorrect email or password. Check both and try again, or reset your password.',
  },
  wrong_code: {
    status: 400,
    code: 'wrong_code',
    message:
      'The code is incorrect, has expired or has already been used. Enter the next code shown in your authenticator app.',
  },
  second_step_expired: {
    status: 400,
    code: 'second_step_expired',
    message: 'This sign-in has expired, has already been completed or had too many incorrect codes. Start again.',
  },
  second_factor_needed: {
    status: 403,
    code: 'second_factor_needed',
    message:
      'This organisation requires two-factor authentication. Set it up in your settings, or sign in with a passkey.',
  },
  second_factor_on: { status: 409, code: 'second_factor_on', message: 'Two-factor authentication is already enabled.' },
  second_factor_off: { status: 409, code: 'second_factor_off', message: 'Two-factor authentication is not enabled.' },
  invalid_passkey: {
    status: 400,
    code: 'invalid_passkey',
    message: 'The passkey is not registered here or could not be verified. Try again, or use another sign-in method.',
  },
  passkeys_unavailable: {
    status: 409,
    code: 'passkeys_unavailable',
    message: 'Passkeys require HTTPS with a host name, or localhost. They are not available at this address.',
  },
  too_many_passkeys: {
    status: 409,
    code: 'too_many_passkeys',
    message: 'An account can have at most {limit} passkeys. Remove one first.',
  },
  last_sign_in_method: {
    status: 409,
    code: 'last_sign_in_method',
    message: 'This is the only sign-in method for the account. Set a password or add another sign-in method first.',
  },
  provider_not_found: { status: 404, code: 'not_found', message: "No sign-in provider named '{id}' is configured." },
  provider_failed: {
    status: 502,
    code: 'provider_failed',
    message:
      '{name} returned an invalid response or did not respond. You were not signed in, and nothing was changed. Try again, or use another sign-in method.',
  },
  provider_denied: {
    status: 403,
    code: 'provider_denied',
    message: '{name} denied the sign-in. Nothing was changed.',
  },
  provider_state_mismatch: {
    status: 400,
    code: 'provider_state_mismatch',
    message: 'This sign-in was started in another browser, has expired or has already been completed. Start again.',
  },
  identity_without_email: {
    status: 409,
    code: 'identity_without_email',
    message:
      '{name} did not provide an email address, which an account requires. Allow {name} to share it, or sign up with a password.',
  },
  identity_email_taken: {
    status: 409,
    code: 'identity_email_taken',
    message:
      'An account with this email already exists, but the email is not verified both here and at {name}. Sign in with your existing method, then connect {name} in your settings.',
  },
  identity_taken: {
    status: 409,
    code: 'identity_taken',
    message: 'This {name} account is already connected to a different account on this server.',
  },
  identity_another: {
    status: 409,
    code: 'identity_another',
    message: 'Your account is already connected to a different {name} account. Disconnect that one first.',
  },
  identity_not_found: { status: 404, code: 'not_found', message: "No connected account found with ID '{id}'." },
  passkey_not_found: { status: 404, code: 'not_found', message: "No passkey found with ID '{id}'." },
  confirmation_needed: {
    status: 403,
    code: 'confirmation_needed',
    message: 'Confirm your identity to continue. Your last confirmation was more than ten minutes ago.',
  },
  wrong_password: { status: 400, code: 'wrong_password', message: 'Incorrect password.' },
  cross_site: {
    status: 403,
    code: 'cross_site',
    message:
      'The request did not come from a page on this server, or its token has expired. Reload the page and try again.',
  },
  owner_only: { status: 403, code: 'owner_only', message: 'Only the owner of this server can do this.' },
  role_too_low: {
    status: 403,
    code: 'role_too_low',
    message: 'Your role in this organisation does not allow this. It requires the role {role} or higher.',
  },
  account_suspended: {
    status: 403,
    code: 'account_suspended',
    message: 'This account is suspended. Contact the owner of this server.',
  },
  organisation_suspended: {
    status: 403,
    code: 'organisation_suspended',
    message: 'This organisation is suspended. Contact the owner of this server.',
  },
  key_suspended: {
    status: 403,
    code: 'key_suspended',
    message: 'This API key is suspended. Contact the owner of this server.',
  },
  owner_not_suspendable: {
    status: 409,
    code: 'owner_not_suspendable',
    message: 'The owner of this server cannot be suspended.',
  },
  organisation_switched: {
    status: 409,
    code: 'organisation_switched',
    message: 'You switched to a different organisation in another tab or window. Nothing was changed.',
  },
  changed_meanwhile: {
    status: 409,
    code: 'changed_meanwhile',
    message:
      "Someone else changed this to '{now}' in the meantime. Your change was not saved. Review the current value and try again.",
  },
  limits_changed: {
    status: 409,
    code: 'limits_changed',
    message:
      'Someone else changed these limits in the meantime. Your change was not saved. Review the current limits and try again.',
  },
  last_organisation_owner: {
    status: 409,
    code: 'last_organisation_owner',
    message: 'You are the last owner of this organisation. Transfer ownership first, or delete the organisation.',
  },
  too_many_organisations: {
    status: 409,
    code: 'too_many_organisations',
    message: 'This account has reached the number of organisations it can own on this server ({limit}).',
  },
  too_many_invitations: {
    status: 409,
    code: 'too_many_invitations',
    message: 'An organisation can have at most {limit} pending invitations. Withdraw one first.',
  },
  already_member: { status: 409, code: 'already_member', message: 'You are already a member of this organisation.' },
  invitation_expired: {
    status: 410,
    code: 'invitation_expired',
    message: 'This invitation has expired. Ask the person who invited you for a new one.',
  },
  invitation_used: { status: 410, code: 'invitation_used', message: 'This invitation has already been accepted.' },
  invitation_withdrawn: {
    status: 410,
    code: 'invitation_withdrawn',
    message: 'This invitation was withdrawn. Ask the person who invited you for a new one.',
  },
  too_many_attempts: {
    status: 429,
    code: 'too_many_attempts',
    message: 'Too many attempts. Try again later.',
  },
  too_many_streams: {
    status: 429,
    code: 'too_many_streams',
    message:
      'At most {limit} pages can follow the request log of an organisation live at the same time. Close one of them, or reload the list for the latest requests.',
  },
  sign_in_busy: {
    status: 503,
    code: 'sign_in_busy',
    message: 'Too many people are signing in right now. Try again shortly.',
  },
  sign_up_closed: { status: 403, code: 'sign_up_closed', message: 'This server does not accept new accounts.' },
  invitation_needed: {
    status: 403,
    code: 'invitation_needed',
    message: 'New accounts require an invitation. Ask the owner of this server for one.',
  },
  invalid_link: {
    status: 400,
    code: 'invalid_link',
    message: 'The link is invalid, has expired or has already been used. Request a new one.',
  },
  invalid_email: { status: 400, code: 'invalid_email', message: 'Enter a valid email address.' },
  email_taken: { status: 409, code: 'email_taken', message: 'An account with this email already exists.' },
  weak_password: {
    status: 400,
    code: 'weak_password',
    message: 'Choose a different password ({reason}): {advice}.',
  },
  last_owner: {
    status: 409,
    code: 'last_owner',
    message: 'The last owner of a server cannot delete their account while other accounts exist.',
  },
  mail_not_configured: {
    status: 409,
    code: 'mail_not_configured',
    message: 'Email is not set up on this server. Ask the owner of this server for a link.',
  },
  confirmation_mismatch: {
    status: 400,
    code: 'confirmation_mismatch',
    message: 'The text you entered does not match the name.',
  },
  key_inactive: {
    status: 409,
    code: 'key_inactive',
    message: "The key '{id}' {reason}.",
  },
  management_key_protected: {
    status: 403,
    code: 'management_key_protected',
    message:
      'A management key cannot create or change other management keys; it can only rotate or revoke itself. Use the site or the command line.',
  },
  key_not_found: { status: 404, code: 'not_found', message: "No API key found with ID '{id}'." },
  prompt_not_found: { status: 404, code: 'not_found', message: "No saved prompt found with ID '{id}'." },
  too_many_prompts: {
    status: 409,
    code: 'too_many_prompts',
    message: 'An account can save at most {limit} prompts. Delete one first.',
  },
  conversation_not_found: { status: 404, code: 'not_found', message: "No conversation found with ID '{id}'." },
  conversation_changed: {
    status: 409,
    code: 'conversation_changed',
    message: 'The conversation was saved elsewhere in the meantime. Nothing was overwritten.',
  },
  history_full: {
    status: 409,
    code: 'history_full',
    message: 'The history has at most {limit} conversations and 24 MiB. Delete some first.',
  },
  share_not_found: { status: 404, code: 'not_found', message: "No shared conversation found with ID '{id}'." },
  too_many_shares: {
    status: 409,
    code: 'too_many_shares',
    message: 'A member can share at most {limit} conversations by link. Revoke one first.',
  },
  webhook_not_found: { status: 404, code: 'not_found', message: "No endpoint found with ID '{id}'." },
  too_many_webhooks: {
    status: 409,
    code: 'too_many_webhooks',
    message: 'There can be at most {limit} endpoints. Remove one first.',
  },
  webhook_disabled: {
    status: 409,
    code: 'webhook_disabled',
    message: 'This endpoint is off, or there is nobody to send to. Turn it on first.',
  },
  delivery_not_repeatable: {
    status: 409,
    code: 'delivery_not_repeatable',
    message: 'This delivery is being sent now, or its endpoint is off.',
  },
  invalid_webhook_url: {
    status: 400,
    code: 'invalid_webhook_url',
    message: 'Enter an https:// address that can be reached from the Internet, without a user name or password.',
  },
  request_not_found: { status: 404, code: 'not_found', message: "No request found with ID '{id}'." },
  session_not_found: { status: 404, code: 'not_found', message: "No session found with ID '{id}'." },
  member_not_found: { status: 404, code: 'not_found', message: "No member of this organisation found with ID '{id}'." },
  invitation_not_found: {
    status: 404,
    code: 'not_found',
    message: "No pending invitation found with ID '{id}'.",
  },
  account_not_found: { status: 404, code: 'not_found', message: 'No account found with this email.' },
} as const satisfies Record<string, ErrorRow>
