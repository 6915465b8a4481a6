import { useState } from 'react'
import { type AnswerState, useAnswer } from '../../answer/use-answer.ts'
import { chosenModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { buildRequest } from '../playground/build-request.ts'
import { checkSettings, type FieldErrors } from '../playground/check-settings.ts'
import type { ColumnSettings, SharedPart } from './take-over.ts'

export type Side = {
  settings: ColumnSettings
  errors: FieldErrors
  answer: AnswerState
  change(changes: Partial<ColumnSettings>): void
  /** False if a field is invalid; the field then shows the error. */
  check(): boolean
  /** With changes to the settings, which stay. */
  ask(prompt: string, changes?: Partial<ColumnSettings>): void
  stop(): void
}

/** One column: its settings, and the answer to them. The rest of the request is the same for all. */
export const useSide = (first: ColumnSettings, shared: SharedPart): Side => {
  const [settings, setSettings] = useState(first)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { answer, run, stop } = useAnswer()
  const session = useSession()
  const { model: _model, system: _system, ...numbers } = settings
  const checked = checkSettings({ ...shared.settings, ...numbers })
  return {
    settings,
    errors,
    answer,
    stop,
    change: (changes) => setSettings((last) => ({ ...last, ...changes })),
    check() {
      setErrors(checked.errors)
      return Object.keys(checked.errors).length === 0
    },
    ask(prompt, changes = {}) {
      const { model: chosen, system: said, ...asked } = { ...settings, ...changes }
      setSettings((last) => ({ ...last, ...changes }))
      const { options } = checkSettings({ ...shared.settings, ...asked })
      const { attachments, variables } = shared
      const turns = [...shared.turns, { kind: 'sent' as const, id: 'prompt', text: prompt, attachments }]
      void run(buildRequest({ model: chosenModel(session, chosen).id, system: said, turns, options, variables }))
    },
  }
}
