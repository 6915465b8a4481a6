import { roles } from '../en/roles.ts'

/** What the scripts of the forms say in English; the rest stands in the pages. */
export const en = {
  roles,
  joinTitle: (organisation: string) => `Join ${organisation}`,
  invited: (by: string | null, role: string) =>
    `${by ?? 'Somebody'} invites you to this organisation. Your role: ${role}.`,
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  length: (count: number) => `${count} characters. Long enough.`,
  more: (count: number) => (count === 1 ? 'One more character.' : `${count} more characters.`),
  emailNeeded: 'Enter your email address.',
  passwordNeeded: 'Enter your password.',
  codeNeeded: 'Enter the code from your app, or a recovery code.',
  secondStepOver: 'This took too long, or there were too many wrong codes. Load the page again and start over.',
  signInWith: (name: string) => `Continue with ${name}`,
  hidePassword: 'Hide the password',
  showPassword: 'Show the password',
  claimLinkOld:
    'This is not the newest link. Copy the last line “Claim this server” from the terminal: every start prints a new one.',
  sending: 'One moment…',
  keyNotShown:
    'Your account is made, but the next page did not load. This is your key; copy it now, it is not shown again.',
} as const
