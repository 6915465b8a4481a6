import { type CSSProperties, useId } from 'react'
import { useWords } from '../../words-context.tsx'
import { ranges, type SliderName, samplingDefaults } from './settings.ts'
import { useModel } from './use-model.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** A parameter with a range. At its default nothing is sent, and it says so. */
export const Slider = ({ name, step }: { name: SliderName; step: number }) => {
  const { fields } = useWords().playground
  const { settings } = usePlayground()
  const { store } = usePlaygroundParts()
  const id = useId()
  const { min, max } = ranges[name]
  const text = settings[name]
  const usual = samplingDefaults(useModel())[name]
  // Where the default is not known, no value is shown, and the slider has no thumb until it is used.
  const isUnknown = text === '' && usual === null
  const value = text === '' ? (usual ?? (min + max) / 2) : Number(text)
  const filled: CSSProperties & { '--v': string } = {
    '--v': isUnknown ? '0%' : `${((value - min) / (max - min)) * 100}%`,
  }
  return (
    <div className="slider">
      <label className="label" htmlFor={id}>
        {fields[name]}
      </label>
      {text === '' ? (
        <span className="muted">{fields.isDefault}</span>
      ) : (
        <button
          type="button"
          className="link"
          aria-label={fields.resetOf(fields[name])}
          onClick={() => store.changeSettings({ [name]: '' })}
        >
          {fields.toDefault}
        </button>
      )}
      <output className="tabular" htmlFor={id}>
        {isUnknown ? '–' : value}
      </output>
      <input
        id={id}
        type="range"
        className={isUnknown ? 'unset' : undefined}
        min={min}
        max={max}
        aria-valuetext={isUnknown ? fields.isDefault : undefined}
        step={step}
        value={value}
        style={filled}
        onChange={(event) => store.changeSettings({ [name]: event.target.value })}
      />
    </div>
  )
}
