import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LanguageCode } from '../../../languages/language.ts'
import { chooseTheme, chosenTheme, type Theme, themes } from '../../preferences/theme.ts'
import { findLanguage, languages } from '../../words/languages.ts'
import { usePlatform } from '../app-state.ts'
import { ErrorNotice } from '../components/error-notice.tsx'
import { SelectField } from '../components/select-field.tsx'
import { sessionKey } from '../session.ts'
import { useLocale } from '../words-context.tsx'

/** The language, which belongs to the account, and the theme, which belongs to the browser. */
export const AppearanceFields = ({ help }: { help?: { language: string; theme: string } }) => {
  const platform = usePlatform()
  const { words, language, speak } = useLocale()
  const { shell } = words
  const [theme, setTheme] = useState(chosenTheme)
  const queryClient = useQueryClient()
  const keep = useMutation({
    mutationFn: (next: LanguageCode) => platform.setLanguage({ body: { language: next } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKey }),
  })
  const choose = (next: Theme): void => {
    chooseTheme(next)
    setTheme(next)
  }
  const themeNames: Record<Theme, string> = {
    system: shell.themeSystem,
    light: shell.themeLight,
    dark: shell.themeDark,
  }
  return (
    <>
      <SelectField
        label={shell.language}
        help={help?.language}
        value={language.code}
        options={languages.map(({ code, name }) => ({ value: code, text: name }))}
        onChoose={(next) => {
          void speak(findLanguage(next))
          keep.mutate(next)
        }}
      />
      {keep.isError ? <ErrorNotice error={keep.error} onRetry={() => keep.mutate(language.code)} /> : null}
      <SelectField
        label={shell.theme}
        help={help?.theme}
        value={theme}
        options={themes.map((value) => ({ value, text: themeNames[value] }))}
        onChoose={choose}
      />
    </>
  )
}
