import { type ReactNode, useId } from 'react'

/** A section of the settings: its name and what it does at the left, the controls at the right. */
export const SettingsPart = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text === undefined ? null : <p className="secondary small">{text}</p>}
      </div>
      <div className="controls stack">{children}</div>
    </section>
  )
}
