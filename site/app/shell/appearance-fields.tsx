import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Language, languages } from '../../../src/site-server/pages.ts'
import { platformPost } from '../../platform/platform.ts'
import { chooseTheme, chosenTheme, type Theme, themes } from '../../preferences/theme.ts'
import { ErrorNotice } from '../components/error-notice.tsx'
import { SelectField } from '../components/select-field.tsx'
import { sessionQuery } from '../session.ts'
import { useLocale } from '../words-context.tsx'

/** Each language in its own words, for readers who cannot read the current one. */
const languageNames: Record<Language, string> = { en: 'English', ja: '日本語' }

/** The language, which belongs to the account, and the theme, which belongs to the browser. */
export const AppearanceFields = ({ help }: { help?: { language: string; theme: string } }) => {
  const { words, language, speak } = useLocale()
  const { shell } = words
  const [theme, setTheme] = useState(chosenTheme)
  const queryClient = useQueryClient()
  const keep = useMutation({
    mutationFn: (next: Language) => platformPost('/account/language', { language: next }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
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
        value={language}
        options={languages.map((value) => ({ value, text: languageNames[value] }))}
        onChoose={(next) => {
          void speak(next)
          keep.mutate(next)
        }}
      />
      {keep.isError ? <ErrorNotice error={keep.error} onRetry={() => keep.mutate(language)} /> : null}
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
