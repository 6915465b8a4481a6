import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'

/** How the figures were counted, and what is missing from them. */
export const UsageNotes = ({ usage: data }: { usage: Usage }) => {
  const { language, words } = useLocale()
  const { usage } = words
  const { limited, countedFrom } = data
  return (
    <div className="page-notes">
      {limited === null ? null : (
        <p>
          {usage.limited[limited]}{' '}
          {countedFrom === null ? usage.byServerDays : usage.countedFrom(momentText(countedFrom, language))}
        </p>
      )}
      {data.total.estimated === 0 ? null : <p>{usage.estimatedNote(data.total.estimated)}</p>}
      {data.by === 'person' ? <p>{usage.personNote}</p> : null}
      <p>{usage.zone(data.timeZone)}</p>
    </div>
  )
}
