/** Everybody who may try a route. Those with a role have it in one organisation, the team: what is asked for is the team's. */
export const callers = [
  'anonymous',
  /** Owns another organisation. */
  'other organisation',
  'viewer',
  'member',
  'admin',
  'owner',
  /** Owns the server, and an organisation of their own. */
  'server owner',
  'API key',
  'management key',
  /** An admin of the team whose account is suspended; comes with a key of theirs too. */
  'suspended',
] as const
export type Caller = (typeof callers)[number]

export const isSignedIn = (who: Caller): boolean => isOfTeam(who) || isElsewhere(who)

export const isOfTeam = (who: Caller): who is 'viewer' | 'member' | 'admin' | 'owner' =>
  who === 'viewer' || who === 'member' || who === 'admin' || who === 'owner'

export const isElsewhere = (who: Caller): boolean => who === 'other organisation' || who === 'server owner'
