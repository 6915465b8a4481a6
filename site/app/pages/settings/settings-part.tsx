import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef } from 'react'

type SettingsPartProps = {
  title: string
  text?: string
  /** For links to it: it comes into sight, even if it is there only after the page has loaded. */
  id?: string
  children: ReactNode
}

/** A section of the settings: its name and what it does at the left, the controls at the right. */
export const SettingsPart = ({ title, text, id, children }: SettingsPartProps) => {
  const titleId = useId()
  const part = useRef<HTMLElement>(null)
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (id !== undefined && hash === id) part.current?.scrollIntoView()
  }, [id, hash])
  return (
    <section ref={part} id={id} className="settings-section" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{title}</h2>
        {text === undefined ? null : <p className="secondary small">{text}</p>}
      </div>
      <div className="controls stack">{children}</div>
    </section>
  )
}
