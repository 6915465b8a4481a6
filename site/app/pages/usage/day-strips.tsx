import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { maxDaysByUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/section.tsx'
import { StripImage } from '../../components/strip-image.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { useInView } from '../../components/use-in-view.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { type DayHours, dayHours, hoursOfDay } from './day-hours.ts'
import { dayWords } from './day-words.ts'
import { hoursQuery } from './usage-query.ts'

const width = 240
const height = 20
const step = width / hoursOfDay

/** The days of the period as token strips: a rung an hour, as high as tokens were sent in it, all on one scale. */
export const DayStrips = ({ usage: { slots, data: lines, timeZone } }: { usage: Usage }) => {
  const { language, words } = useLocale()
  const { usage } = words
  const platform = usePlatform()
  const part = useRef<HTMLDivElement>(null)
  const isSeen = useInView(part)
  // The newest ones, as many as can be counted by hour.
  const shown = slots.slice(-maxDaysByUnit.hour)
  const [from = '', to = ''] = [shown.at(0), shown.at(-1)]
  const { data, error, refetch } = useQuery({ ...hoursQuery(platform, { from, to, zone: timeZone }), enabled: isSeen })
  // Days without requests are left out, as in the table. The others have their rows at once, so that nothing moves.
  const used = new Set(lines.map(({ slot }) => slots[slot]))
  const known = new Map(data === undefined ? [] : dayHours(data).map((day) => [day.day, day]))
  const days = shown
    .filter((day) => used.has(day))
    .reverse()
    .map((day) => known.get(day) ?? { day, hours: null, tokens: 0, busiest: null })
  const most = Math.max(1, ...days.flatMap(({ hours }) => hours ?? []))
  const columns: Column<DayHours>[] = [
    { id: 'day', className: 'day', head: usage.slotHeads.day, cell: ({ day }) => dayWords(day, language) },
    {
      id: 'hours',
      className: 'hours',
      head: <HourMarks name={usage.hoursHead} />,
      cell: (one) => <DayStrip {...one} most={most} />,
    },
    {
      id: 'tokens',
      head: words.shell.completion,
      end: true,
      cell: ({ hours, tokens }) => (hours === null ? '–' : wholeText(tokens, language)),
    },
    {
      id: 'busiest',
      head: usage.busiestHour,
      end: true,
      wideOnly: true,
      cell: ({ hours, busiest }) =>
        busiest === null ? (
          '–'
        ) : (
          <>
            {hourText(busiest)} <span className="muted">{wholeText(hours?.[busiest] ?? 0, language)}</span>
          </>
        ),
    },
  ]
  return (
    <div ref={part}>
      <Section title={usage.hoursTitle} text={usage.hoursText}>
        {error !== null && data === undefined ? (
          <ErrorNotice error={error} title={usage.notLoaded} onRetry={refetch} />
        ) : (
          <Table
            className="day-strips"
            caption={usage.hoursTitle}
            columns={columns}
            rows={days}
            rowKey={({ day }) => day}
          />
        )}
      </Section>
    </div>
  )
}

const DayStrip = ({ hours, busiest, most }: DayHours & { most: number }) => {
  const { language, words } = useLocale()
  const { usage } = words
  if (hours === null) return <svg className="day-strip" aria-hidden="true" />
  const label =
    busiest === null
      ? usage.dayStripNone
      : usage.dayStrip({
          hours: wholeText(hours.filter((tokens) => tokens > 0).length, language),
          busiest: hourText(busiest),
          tokens: wholeText(hours[busiest] ?? 0, language),
        })
  return (
    <StripImage className="day-strip" width={width} height={height} label={label}>
      <path className="hours" d={`M0 ${height - 1}H${width}`} />
      <path className="rungs" d={rungs(hours, most)} />
    </StripImage>
  )
}

/** The smallest can still be seen. */
const rungs = (hours: readonly number[], most: number): string =>
  hours
    .map((tokens, hour) => {
      const length = 2 + (height - 5) * (tokens / most)
      return tokens === 0 ? '' : `M${(hour + 0.5) * step} ${height - 2}V${(height - 2 - length).toFixed(1)}`
    })
    .join('')

const marks = [0, 6, 12, 18, 24]

/** The clock above the strips. */
const HourMarks = ({ name }: { name: string }) => (
  <>
    <span className="visually-hidden">{name}</span>
    <span className="hour-marks" aria-hidden="true">
      {marks.map((hour) => (
        <span key={hour}>{hour}</span>
      ))}
    </span>
  </>
)

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
