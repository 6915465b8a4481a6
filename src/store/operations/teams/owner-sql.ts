/**
 * The account that owns an organisation: of several owners, the one that has been a member for longest, so that nobody changes it
 * by inviting others. The organisation itself while it has no owner.
 */
export const ownerSql = (organisationId: string): string => `coalesce((
    SELECT owners.account_id FROM memberships AS owners
    WHERE owners.organisation_id = ${organisationId} AND owners.role = 'owner' ORDER BY owners.rowid LIMIT 1
  ), ${organisationId})`
