import type { ReactNode } from 'react'

type SegmentsProps<Value extends string> = {
  label: string
  values: readonly Value[]
  /** Null: none of them. */
  chosen: Value | null
  onChoose(value: Value): void
  text(value: Value): ReactNode
}

/** A few values side by side, one of which is chosen: a period, a unit, a filter. */
export const Segments = <Value extends string>({ label, values, chosen, onChoose, text }: SegmentsProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere
  <div className="segments" role="group" aria-label={label}>
    {values.map((each) => (
      <button key={each} type="button" aria-pressed={each === chosen} onClick={() => onChoose(each)}>
        {text(each)}
      </button>
    ))}
  </div>
)
