import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { maxDaysByUnit, usageSeries, usageUnits } from '../../../../src/platform/contract/usage-groups.ts'
import { DateField } from '../../components/date-field.tsx'
import { Segments } from '../../components/segments.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { fitting } from './showable.ts'
import { hasOwnRange, readerZone } from './usage-parameters.ts'
import { type UsageView, usageMetrics, usagePresets } from './usage-view.ts'

type UsageControlsProps = { view: UsageView; usage: Usage | undefined; onChange(part: Partial<UsageView>): void }

/** What is counted: over which period, by what, and how days are divided. */
export const UsageControls = ({ view, usage: data, onChange }: UsageControlsProps) => {
  const { usage } = useWords()
  const change = (part: Partial<UsageView>): void => onChange(fitting(view, part))
  const isOwn = hasOwnRange(view)
  const shown = isOwn ? view : { from: data?.from ?? '', to: data?.to ?? '' }
  /** Both days are needed, in this order, at most ten years apart. */
  const changeDay = (part: { from?: string; to?: string }): void => {
    const { from, to } = { ...shown, ...part }
    if (from === '' || to === '') return
    const first = part.from === undefined && from > to ? to : from
    const last = part.to === undefined && from > to ? from : to
    if ((Date.parse(last) - Date.parse(first)) / 86_400_000 < maxDaysByUnit.total) change({ from: first, to: last })
  }
  const serverZone = data?.serverTimeZone
  const zones = [
    { value: '' as const, text: usage.readerZone(readerZone()) },
    { value: 'server' as const, text: usage.serverZone(serverZone ?? '') },
  ]
  return (
    <div className="usage-controls">
      <div className="usage-choices">
        <Segments
          label={usage.range}
          values={usagePresets}
          chosen={isOwn ? null : view.days}
          onChoose={(days) => change({ days, from: '', to: '' })}
          text={(days) => usage.presets[days]}
        />
        <Segments
          label={usage.interval}
          values={usageUnits}
          chosen={view.unit}
          onChoose={(unit) => change({ unit })}
          text={(unit) => usage.units[unit]}
        />
      </div>
      <div className="usage-fields">
        <DateField label={usage.from} value={shown.from} onChoose={(from) => changeDay({ from })} />
        <DateField label={usage.to} value={shown.to} onChoose={(to) => changeDay({ to })} />
        <SelectField
          label={usage.splitBy}
          value={view.by}
          options={usageSeries.map((value) => ({ value, text: usage.series[value] }))}
          onChoose={(by) => change({ by })}
        />
        <SelectField
          label={usage.show}
          value={view.show}
          options={usageMetrics
            .filter((value) => value !== 'cost' || view.show === 'cost' || (data?.total.costMicros ?? 0) > 0)
            .map((value) => ({ value, text: usage.metrics[value] }))}
          onChoose={(show) => change({ show })}
        />
        {serverZone === undefined || serverZone === readerZone() ? null : (
          <div className="time-zone">
            <SelectField
              label={usage.timeZone}
              value={view.zone}
              options={zones}
              onChoose={(zone) => change({ zone })}
            />
          </div>
        )}
        <label className="switch">
          <input
            type="checkbox"
            checked={view.compare !== ''}
            onChange={(event) => change({ compare: event.target.checked ? 'previous' : '' })}
          />
          {usage.compare}
        </label>
      </div>
    </div>
  )
}
