import type { Migration } from './migration.ts'

/**
 * Roles become a closed list, and every organisation with people has an owner: the one who came first, where there was
 * none. Invitations stay when they are over, so that a late guest is told why. The audit is append-only: events can only be
 * added, and removed once the horizon has passed them. Whom events name stands in `audit_parties`, which is changed when an
 * account is deleted; several rows may then look alike.
 */
export const teamsAndAudit: Migration = {
  id: 5,
  name: 'teams and audit',
  sql: `
    CREATE TABLE new_memberships (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
      created_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, organisation_id)
    ) STRICT;
    INSERT INTO new_memberships (account_id, organisation_id, role, created_at)
      SELECT account_id, organisation_id,
        CASE WHEN role IN ('viewer', 'member', 'admin', 'owner') THEN role ELSE 'member' END, created_at
      FROM memberships ORDER BY rowid;
    DROP TABLE memberships;
    ALTER TABLE new_memberships RENAME TO memberships;
    CREATE INDEX memberships_by_organisation ON memberships (organisation_id);
    UPDATE memberships SET role = 'owner' WHERE rowid IN (
      SELECT min(rowid) FROM memberships GROUP BY organisation_id HAVING total(role = 'owner') = 0
    );

    CREATE TABLE invitations (
      id TEXT NOT NULL PRIMARY KEY,
      token_hash BLOB NOT NULL UNIQUE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
      email TEXT,
      invited_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      accepted_at INTEGER,
      withdrawn_at INTEGER
    ) STRICT;
    CREATE INDEX invitations_by_organisation ON invitations (organisation_id);
    CREATE INDEX invitations_by_inviter ON invitations (invited_by);

    ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
    ALTER TABLE organisations ADD COLUMN suspended_at INTEGER;
    ALTER TABLE api_keys ADD COLUMN suspended_at INTEGER;

    CREATE TABLE audit_parties (
      id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      subject_id TEXT,
      name TEXT,
      address TEXT
    ) STRICT;
    CREATE INDEX audit_parties_by_subject ON audit_parties (subject_id, kind, address);
    CREATE INDEX audit_parties_by_name ON audit_parties (name);
    CREATE TABLE audit_events (
      sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      organisation_id TEXT,
      action TEXT NOT NULL,
      actor INTEGER NOT NULL REFERENCES audit_parties (id),
      target INTEGER REFERENCES audit_parties (id),
      details TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_events_in_order ON audit_events (at, sequence);
    CREATE INDEX audit_events_by_organisation ON audit_events (organisation_id, at, sequence);
    CREATE INDEX audit_events_by_actor ON audit_events (actor);
    CREATE INDEX audit_events_by_target ON audit_events (target);
    -- Events from before may be removed.
    CREATE TABLE audit_horizon (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      before INTEGER NOT NULL
    ) STRICT;
    INSERT INTO audit_horizon VALUES (1, 0);
    CREATE TRIGGER audit_events_stay BEFORE UPDATE ON audit_events
      BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;
    CREATE TRIGGER audit_events_remain BEFORE DELETE ON audit_events
      WHEN OLD.at >= (SELECT before FROM audit_horizon)
      BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;
  `,
}
