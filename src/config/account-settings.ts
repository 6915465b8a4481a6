import { choice, integer, type Setting } from './setting.ts'

/** Who can create accounts, and how much each can have. */
export const accountSettings = {
  signUp: choice(['open', 'invitation', 'closed'], {
    editedIn: 'signUp',
    default: 'open',
    text: 'Who can create an account once the server has an owner: anyone, only people with an invitation, or nobody.',
  }),
  signUpsPerHour: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of new accounts per hour from one IP address.',
  }),
  organisationsPerAccount: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of organisations one account can own; each has its own limits.',
  }),
} satisfies Record<string, Setting<unknown>>
