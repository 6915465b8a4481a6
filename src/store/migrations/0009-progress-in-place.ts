import type { Migration } from './migration.ts'

/**
 * A running request has one row of progress, which is overwritten: only the newest counts are ever needed. Reservations and
 * settlements stay append-only. Open requests no longer have a row of their own, which cost an insert and a delete each:
 * every reservation up to `ledger_settled.up_to` has a settlement, so only later ones have to be checked. On PostgreSQL
 * each server has such a mark, in `ledger_nodes`.
 */
export const progressInPlace: Migration = {
  id: 9,
  name: 'progress in place',
  sqlite: `
    CREATE TABLE ledger_progress (
      reservation INTEGER NOT NULL PRIMARY KEY REFERENCES ledger_reservations (sequence) ON DELETE CASCADE,
      prompt_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      is_estimated INTEGER NOT NULL CHECK (is_estimated IN (0, 1)),
      written_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO ledger_progress
      SELECT reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, noted_at
      FROM ledger_notes WHERE sequence IN (
        SELECT max(sequence) FROM ledger_notes WHERE reservation IN (SELECT reservation FROM ledger_open)
        GROUP BY reservation
      );
    DROP TABLE ledger_notes;

    CREATE TABLE ledger_settled (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      up_to INTEGER NOT NULL
    ) STRICT;
    INSERT INTO ledger_settled SELECT 1, coalesce(
      (SELECT min(reservation) - 1 FROM ledger_open), (SELECT max(sequence) FROM ledger_reservations), 0
    );
    DROP TABLE ledger_open;
    CREATE VIEW ledger_open AS
      SELECT sequence AS reservation FROM ledger_reservations
      WHERE sequence > (SELECT up_to FROM ledger_settled)
        AND NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = sequence);
  `,
  postgres: `
    CREATE TABLE ledger_progress (
      reservation BIGINT PRIMARY KEY,
      prompt_tokens BIGINT NOT NULL,
      cached_tokens BIGINT NOT NULL,
      completion_tokens BIGINT NOT NULL,
      reasoning_tokens BIGINT NOT NULL,
      is_estimated SMALLINT NOT NULL CHECK (is_estimated IN (0, 1)),
      written_at BIGINT NOT NULL
    -- Room on each page, so that the next checkpoint replaces the last one in place.
    ) WITH (fillfactor = 50);

    -- Every reservation of the node from transactions before this one is settled.
    CREATE TABLE ledger_nodes (
      node TEXT PRIMARY KEY,
      settled_before BIGINT NOT NULL
    );
  `,
}
