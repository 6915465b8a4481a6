import type { Migration } from './migration.ts'

/**
 * `sequence` keeps two completions of one millisecond in order, and AUTOINCREMENT never gives a deleted one's number to
 * another. Each pair of the metadata stands again in a table in the order of the list, so that a filter reads only what
 * it may show. The long texts come last in their row: what is only looked at is read without them.
 */
export const storedCompletions: Migration = {
  id: 2,
  name: 'stored completions',
  sql: `
    CREATE TABLE stored_completions (
      sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id),
      created_at INTEGER NOT NULL,
      model TEXT NOT NULL,
      metadata TEXT NOT NULL,
      completion TEXT NOT NULL,
      messages TEXT NOT NULL
    ) STRICT;

    CREATE INDEX stored_completions_in_order ON stored_completions (organisation_id, created_at, sequence, model);

    CREATE TABLE stored_completion_pairs (
      organisation_id TEXT NOT NULL,
      pair TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      sequence INTEGER NOT NULL REFERENCES stored_completions (sequence) ON DELETE CASCADE,
      PRIMARY KEY (organisation_id, pair, created_at, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX stored_completion_pairs_of_one ON stored_completion_pairs (sequence);
  `,
}
