import { roles } from './roles.ts'

const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']
const counted = (count: number): string => numbers[count] ?? String(count)

export const team = {
  roles,
  roleTexts: {
    viewer: 'Can see members, keys, limits and usage.',
    member: 'Can also create keys, manage their own, and use the playground.',
    admin: 'Can also manage all keys, members, invitations and the organisation’s name.',
    owner: 'Can also appoint owners, transfer ownership and delete the organisation.',
  },

  searchOrganisations: 'Search organisations',
  noOrganisationFound: 'No matching organisation.',
  current: 'current',
  roleAmong: (role: string, members: number) => (members === 1 ? `${role} · only you` : `${role} · ${members} members`),
  notSwitched: 'The organisation was not switched.',
  create: 'New organisation',
  createText: 'It has its own keys, limits, usage and members. You will be its owner.',
  nameNeeded: 'Enter a name.',
  nameRefused: 'This name can’t be used. Use at most 100 displayable characters.',
  created: (name: string) => `Switched to ${name}`,
  notCreated: 'The organisation was not created.',

  rule: 'Two-factor authentication',
  ruleText:
    'Members who signed in with only a password will see just their own settings until they set up a second factor. API keys keep working.',
  ruleOn: 'Required',
  ruleOff: 'Not required',
  membersWithout: (count: number) =>
    count === 0
      ? 'Every member has a second factor.'
      : count === 1
        ? 'One member has no second factor.'
        : `${counted(count)} members have no second factor.`,
  ruleSwitchOn: 'Require it',
  ruleSwitchOff: 'Stop requiring it',
  ruleSwitchedOn: 'Two-factor authentication is now required',
  ruleSwitchedOff: 'Two-factor authentication is no longer required',
  ruleNeedsOwn: 'Set up two-factor authentication for yourself first, in Settings, or sign in with a passkey.',

  bodies: 'Stored prompts and answers',
  bodiesText:
    'Prompts and answers can be stored verbatim, for members to read on each request’s page. They may contain personal or confidential data; tell everyone affected first.',
  bodiesKept: (days: number) => (days === 1 ? 'Stored for one day' : `Stored for ${days} days`),
  bodiesNotKept: 'Not stored',
  bodiesKeep: 'Store prompts and answers',
  bodiesOff: 'No',
  bodiesFor: (days: number) => (days === 1 ? 'For one day' : `For ${days} days`),
  bodiesHelp: '“No” immediately deletes everything stored so far.',
  bodiesSave: 'Save',
  bodiesSaved: (days: number) =>
    days === 1
      ? 'Prompts and answers are now stored for one day'
      : `Prompts and answers are now stored for ${days} days`,
  bodiesDropped: 'Nothing is stored any more, and everything stored was deleted',
  bodiesNotSaved: 'Nothing was changed.',

  accountSuspended: 'Account suspended',
  accountSuspendedLede: 'This account is suspended.',
  accountSuspendedText:
    'The server’s owner suspended it. Its pages and keys don’t work until it is resumed. Nothing is lost. Contact the owner.',
  organisationSuspendedLede: 'This organisation is suspended.',
  organisationSuspendedText:
    'The server’s owner suspended it. Its pages and keys don’t work until it is resumed. Nothing is lost. Contact the owner, or switch to another organisation.',

  people: (count: number) => (count === 1 ? 'You are the only member.' : `${counted(count)} members.`),
  openInvitations: (count: number) =>
    count === 0 ? '' : count === 1 ? 'One invitation is pending.' : `${counted(count)} invitations are pending.`,
  caption: 'Members of the organisation',
  you: 'You',
  roleOf: (email: string) => `Role of ${email}`,
  joined: 'Joined',
  notLoaded: 'The members did not load.',
  roleChanged: (email: string, role: string) => `${email}: ${role}`,
  roleNotChanged: 'The role was not changed.',
  remove: 'Remove',
  removeOf: (email: string) => `Remove ${email}`,
  removeTitle: (email: string) => `Remove ${email}?`,
  removeText: 'They lose access to this organisation. Their account stays.',
  revokeKeys: 'Also revoke the keys they created here',
  revokeKeysText: 'Anyone who has a key can use it. Keep the keys only if others depend on them.',
  removeNow: 'Remove',
  removed: (email: string) => `${email} was removed`,
  notRemoved: 'The member was not removed.',

  invitations: 'Invitations',
  invitationsText: 'Each invitation works for one person and expires after seven days.',
  invitationsCaption: 'Invitations, newest first',
  invitationsNotLoaded: 'The invitations did not load.',
  noInvitations: 'No pending invitations.',
  invite: 'Invite',
  inviteTitle: 'Invite a member',
  how: 'How',
  byLink: 'With a link you share yourself',
  byMail: 'By email',
  inviteEmailHelp: 'Helps you tell invitations apart. Anyone with the link can use it.',
  inviteMailHelp: 'The link is sent to this address and shown nowhere else.',
  makeInvitation: 'Create invitation',
  sendInvitation: 'Send invitation',
  notInvited: 'The invitation was not created.',
  invitedTitle: 'The invitation is ready',
  invitedText: (until: string) => `This link is shown once. It works for one person, until ${until}.`,
  invitationSent: (email: string) => `Invitation sent to ${email}`,
  withoutEmail: 'Link',
  invitedBy: (email: string) => `by ${email}`,
  until: 'Expires',
  open: 'Pending',
  accepted: 'Accepted',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  withdraw: 'Withdraw',
  withdrawOf: (email: string) => `Withdraw the invitation for ${email}`,
  withdrawnNow: 'Invitation withdrawn',
  notWithdrawn: 'The invitation was not withdrawn.',

  organisationText: 'All members see the name.',
  rename: 'Rename',
  renamed: (name: string) => `Renamed to ${name}`,
  handOver: 'Transfer ownership',
  handOverText: 'Make someone else the owner. You become an admin.',
  handOverNobody: 'There is no other member to transfer it to yet. Invite someone first.',
  newOwner: 'New owner',
  handOverTitle: (email: string) => `Transfer ownership to ${email}?`,
  handOverConsequence: 'They become the owner and you become an admin. Only an owner can undo this.',
  handOverNow: 'Transfer',
  handedOver: (email: string) => `${email} is now an owner`,
  leave: 'Leave',
  leaveText: 'You lose access to it. Keys you created stay: they belong to the organisation.',
  leaveLast: 'You are its last owner. Transfer ownership first, or delete the organisation if it is no longer needed.',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveConsequence: 'Only a member can invite you back. If you have no other organisation, you get a new, empty one.',
  leaveNow: 'Leave',
  left: (name: string) => `You left ${name}`,
  notLeft: 'You are still a member.',
  deletion: 'Delete organisation',
  deletionText:
    'Its keys stop working immediately and its stored completions are deleted. Members keep their accounts.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteConsequence: 'All its keys stop working immediately, for every member. This can’t be undone.',
  deleteNow: 'Delete',
  deleted: (name: string) => `${name} was deleted`,
  notDeleted: 'The organisation was not deleted.',
} as const
