import { AppearanceFields } from '../../shell/appearance-fields.tsx'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from './settings-part.tsx'

export const AppearancePart = () => {
  const { settings } = useWords()
  return (
    <SettingsPart title={settings.look}>
      <AppearanceFields help={{ language: settings.languageHelp, theme: settings.themeHelp }} />
    </SettingsPart>
  )
}
