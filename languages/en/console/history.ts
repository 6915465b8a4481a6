const daysText = (days: number): string => (days === 1 ? 'a day' : `${days} days`)

export const history = {
  title: 'History',
  listTitle: 'Conversations',
  none: 'No conversations yet. Every answered conversation is kept here.',
  notLoaded: 'The history did not load.',
  kept: (days: number) => `Only you see them. Each is deleted ${daysText(days)} after its last change.`,
  keptPinned: (days: number) =>
    `Only you see them. Each is deleted ${daysText(days)} after its last change, unless it is pinned.`,
  search: 'Search titles and messages',
  noneFound: 'No conversation contains this.',
  pinned: 'Pinned',
  shared: (count: number) => (count === 1 ? '1 link' : `${count} links`),
  isOpen: 'Open now',
  startNew: 'New conversation',
  started: 'New conversation started',
  deleteQuestion: (title: string) => `Delete “${title}” and the links to it? This cannot be undone.`,
  notChanged: 'The conversation was not changed.',
  states: {
    failed: 'Not in the history yet; trying again',
    full: 'The history is full: this conversation is only a draft',
  },
  share: {
    title: 'Share this conversation',
    text: 'A link opens what is shown now, read-only, for members of your organisation.',
    create: 'Create link',
    link: 'Link',
    createdAt: (when: string) => `Created ${when}`,
    revoke: 'Revoke link',
    notCreated: 'The link was not created.',
  },
  sharedPage: {
    title: 'Shared conversation',
    about: (who: string, when: string) => `Shared by ${who}, ${when}. Read-only.`,
    continue: 'Continue as your own copy',
    notFound: 'This link does not work. It was revoked or deleted, or belongs to another organisation.',
  },
  unsaved: {
    title: 'Something in the playground is not saved.',
    text: 'If you sign out now, it is lost.',
    anyway: 'Sign out and lose it',
    switchText: 'If you switch to another organisation now, it is lost.',
    switchAnyway: 'Switch and lose it',
  },
} as const
