import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { SelectField } from '../../components/select-field.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { promptQuery } from './prompts-query.ts'
import { usePlayground } from './use-playground.ts'

/** The versions of the prompt that is open: choosing one opens it. */
export const PromptVersions = ({ onOpen }: { onOpen(id: string, version: number): void }) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { prompts } = words
  const { saved } = usePlayground()
  const { data } = useQuery({ ...promptQuery(platform, saved?.id ?? '', ''), enabled: saved !== null })
  if (saved === null || data === undefined || data.versions.length < 2) return null
  return (
    <SelectField
      label={prompts.versionsOf(saved.name)}
      value={String(saved.version)}
      options={data.versions.map(({ version, savedAt }) => ({
        value: String(version),
        text: prompts.about(prompts.version(version), momentText(savedAt, language)),
      }))}
      onChoose={(version) => onOpen(saved.id, Number(version))}
    />
  )
}
