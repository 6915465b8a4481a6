import type { Account, ActiveOrganisation, Session } from '../platform/types.ts'

export type SignedInSession = Session & { account: Account; organisation: ActiveOrganisation }

export const isSignedIn = (session: Session): session is SignedInSession =>
  session.account !== null && session.organisation !== null
