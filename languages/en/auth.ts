import { errors } from './console/errors.ts'
import { roles } from './console/roles.ts'

/** What the scripts of the forms say in English; the rest stands in the pages. */
export const words = {
  roles,
  errors,
  joinTitle: (organisation: string) => `Join ${organisation}`,
  invited: (by: string | null, role: string) => `${by ?? 'Someone'} has invited you to join. You’ll join as ${role}.`,
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  length: (count: number) => `${count} characters. Long enough.`,
  more: (count: number) => (count === 1 ? 'One more character needed.' : `${count} more characters needed.`),
  emailNeeded: 'Enter your email address.',
  passwordNeeded: 'Enter your password.',
  codeNeeded: 'Enter the code from your app, or a recovery code.',
  secondStepExpired: 'This took too long, or there were too many wrong codes. Reload the page and start again.',
  signInWith: (name: string) => `Continue with ${name}`,
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  claimLinkOld:
    'This is not the latest link. Copy the last “Claim this server” line from the terminal; each start prints a new one.',
  sending: 'One moment…',
  keyNotShown:
    'Your account was created, but the next page did not load. This is your key. Copy it now; it won’t be shown again.',
} as const
