import type { Migration } from './migration.ts'

/**
 * Costs, in millionths of the operator's currency. The price that applied is kept with each reservation, so that a request
 * that a dead server left open is settled at it. Earlier requests have no price, and their totals no cost. Totals also count the
 * requests with estimated counts, including earlier ones that are still in the ledger.
 */
export const prices: Migration = {
  id: 14,
  name: 'prices and costs',
  sqlite: `
    ALTER TABLE ledger_reservations ADD COLUMN price TEXT;
    ALTER TABLE ledger_reservations ADD COLUMN reserved_cost INTEGER;
    ALTER TABLE ledger_settlements ADD COLUMN cost INTEGER CHECK (cost >= 0);
    ALTER TABLE usage_days ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE usage_days ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
    UPDATE usage_days SET estimated = counted.requests FROM (
      SELECT party, day, model, count(*) AS requests
      FROM ledger_settlements JOIN ledger_reservations ON sequence = reservation
      WHERE is_estimated = 1 GROUP BY party, day, model
    ) AS counted
    WHERE counted.party = usage_days.party AND counted.day = usage_days.day AND counted.model = usage_days.model;

    ALTER TABLE organisations ADD COLUMN cost_per_day INTEGER;
    ALTER TABLE organisations ADD COLUMN cost_per_month INTEGER;
    ALTER TABLE api_keys ADD COLUMN cost_per_day INTEGER;
    ALTER TABLE api_keys ADD COLUMN cost_per_month INTEGER;
  `,
  postgres: '-- In the tables of migrations 1 and 4.',
}
