import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { LimitsTable } from '../limits/limits-table.tsx'
import { nearestLimits } from './nearest-limits.ts'

/** The limits of the organisation and its keys that are nearest to full. */
export const HomeLimits = ({ shown }: { shown: LimitsShown }) => {
  const { home, limits } = useWords()
  const { organisation } = useSession()
  const rows = nearestLimits(shown)
  const setBy = {
    ...{ settings: limits.bySettings, servers_own: limits.byServersOwn },
    ...{ owner: limits.byOwner, key: limits.byKey },
  }
  return rows.length === 0 ? (
    <p className="muted">{home.noLimits}</p>
  ) : (
    <LimitsTable caption={organisation.name} rows={rows} now={shown.now} setBy={setBy} />
  )
}
