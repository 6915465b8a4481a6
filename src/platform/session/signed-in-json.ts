import type { AccountRecord } from '../../store/account-contract.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'

/** Who somebody is, as the site shows it to themselves. */
export const signedInJson = (signedIn: { account: AccountRecord; organisation: OrganisationRecord }) => ({
  account: accountJson(signedIn.account),
  organisation: { id: signedIn.organisation.id, name: signedIn.organisation.name },
})

const accountJson = ({ id, email, emailVerified, name, isOwner, createdAt, language }: AccountRecord) => ({
  id,
  email,
  emailVerified,
  name,
  isOwner,
  createdAt,
  language,
})
