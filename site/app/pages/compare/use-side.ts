import { useState } from 'react'
import { type Answer, useAnswer } from '../../answer/use-answer.ts'
import { chosenModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { checkSettings, type FieldErrors } from '../playground/check-settings.ts'
import { defaultSettings } from '../playground/settings.ts'

/** What the two sides may differ in. */
export type SideSettings = {
  /** Empty: the default. */
  model: string
  system: string
  temperature: string
  top_p: string
  max_completion_tokens: string
}

export type Side = {
  settings: SideSettings
  errors: FieldErrors
  answer: Answer
  change(changes: Partial<SideSettings>): void
  /** False if a field is invalid; the field then shows the error. */
  check(): boolean
  ask(prompt: string): void
  stop(): void
}

export const useSide = (first: Partial<SideSettings>): Side => {
  const [settings, setSettings] = useState<SideSettings>({
    model: '',
    system: '',
    temperature: '',
    top_p: '',
    max_completion_tokens: '',
    ...first,
  })
  const [errors, setErrors] = useState<FieldErrors>({})
  const { answer, run, stop } = useAnswer()
  const session = useSession()
  const { model, system, ...numbers } = settings
  const checked = checkSettings({ ...defaultSettings, ...numbers })
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
    ask(prompt) {
      const instruction = system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]
      void run({
        model: chosenModel(session, model).id,
        messages: [...instruction, { role: 'user', content: prompt }],
        ...checked.options,
      })
    },
  }
}
