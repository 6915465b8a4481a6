import type { SettingRecord } from '../../setting-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, type Query, run } from '../query.ts'
import { integer, text, textOrNull } from '../row.ts'

export function* listSettings(): Query<SettingRecord[]> {
  return (yield* all('SELECT * FROM server_settings ORDER BY name')).map((row) => ({
    name: text(row, 'name'),
    value: textOrNull(row, 'value'),
    sealedValue: textOrNull(row, 'sealed_value'),
    changedAt: integer(row, 'changed_at'),
  }))
}

export function* saveSettings(written: readonly SettingRecord[], removed: readonly string[]): Query<void> {
  for (const name of removed) yield* deleteText(run('DELETE FROM server_settings WHERE name = ?', name))
  for (const { name, value, sealedValue, changedAt } of written) {
    const sql = `INSERT INTO server_settings (name, value, sealed_value, changed_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, sealed_value = excluded.sealed_value, changed_at = excluded.changed_at`
    yield* deleteText(run(sql, name, value, sealedValue, changedAt))
  }
}
