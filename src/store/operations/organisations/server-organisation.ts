/**
 * An SQL expression: whether a row of `organisations` is the server organisation. That is the oldest one that an owner
 * of the server owns; before there is an owner, the one that the first owner will take over.
 */
export const isServerOrganisation = `CASE WHEN EXISTS (SELECT 1 FROM accounts WHERE is_owner = 1) THEN EXISTS (
    SELECT 1 FROM memberships AS own JOIN accounts ON accounts.id = own.account_id
    WHERE own.organisation_id = organisations.id AND own.role = 'owner' AND is_owner = 1 AND NOT EXISTS (
      SELECT 1 FROM memberships AS other JOIN organisations AS older ON older.id = other.organisation_id
      WHERE other.account_id = own.account_id AND other.role = 'owner' AND older.rowid < organisations.rowid
    )
  ) ELSE 1 = 1 END AS is_server_organisation`
