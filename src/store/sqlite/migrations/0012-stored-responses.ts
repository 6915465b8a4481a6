import type { Migration } from './migration.ts'

/**
 * Responses that are kept for their organisation, where each item of their output is found, and how much each organisation
 * has, so that storing one more does not count all of them. The long texts come last in their row: what is only looked at is
 * read without them.
 */
export const storedResponses: Migration = {
  id: 12,
  name: 'stored responses',
  sql: `
    CREATE TABLE stored_responses (
      sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      previous_id TEXT,
      response TEXT NOT NULL,
      input TEXT NOT NULL,
      deltas TEXT
    ) STRICT;

    CREATE INDEX stored_responses_by_age ON stored_responses (organisation_id, created_at, sequence, bytes);
    CREATE INDEX stored_responses_by_end ON stored_responses (created_at, bytes);

    CREATE TABLE stored_response_items (
      organisation_id TEXT NOT NULL,
      id TEXT NOT NULL,
      sequence INTEGER NOT NULL REFERENCES stored_responses (sequence) ON DELETE CASCADE,
      PRIMARY KEY (organisation_id, id, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX stored_response_items_of_one ON stored_response_items (sequence);

    CREATE TABLE stored_response_totals (
      organisation_id TEXT NOT NULL PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
      responses INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER stored_response_added AFTER INSERT ON stored_responses BEGIN
      INSERT INTO stored_response_totals (organisation_id, responses, bytes)
        VALUES (NEW.organisation_id, 1, NEW.bytes)
        ON CONFLICT (organisation_id) DO UPDATE SET responses = responses + 1, bytes = bytes + NEW.bytes;
    END;

    CREATE TRIGGER stored_response_removed AFTER DELETE ON stored_responses BEGIN
      UPDATE stored_response_totals SET responses = responses - 1, bytes = bytes - OLD.bytes
        WHERE organisation_id = OLD.organisation_id;
    END;
  `,
}
