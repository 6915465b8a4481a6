import { useMutation, useQueryClient } from '@tanstack/react-query'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { sessionQuery } from '../../session.ts'
import { configurationQuery } from './server-queries.ts'
import { wrongSettingText } from './wrong-setting-text.ts'

/** The setting that the server refused, and its sentence; null if it refused none. */
type WrongSetting = { name: string; text: string } | null

/** Another owner was faster. */
const conflict = 'changed_meanwhile'

/** New values by name, and what was shown before they were typed. */
type Changed = { changes: Readonly<Record<string, unknown>>; were: Readonly<Record<string, string | null>> }

type AfterSaving = {
  onSaved(names: readonly string[]): void
  /** Somebody else changed it, and their value is shown from now on. */
  onConflict(name: string): void
}

/** Saves settings of a part. */
export const useSaveSettings = ({ onSaved, onConflict }: AfterSaving) => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { words, language } = useLocale()
  const save = useMutation({
    mutationFn: ({ changes, were }: Changed) =>
      platform.saveSettings({ body: { changes: { ...changes }, were: { ...were } } }),
    // What was sent may be a secret.
    gcTime: 0,
    onSuccess(saved, { changes }) {
      queryClient.setQueryData(configurationQuery(platform).queryKey, saved)
      // It says who can sign up, and whether mail is sent.
      void queryClient.invalidateQueries({ queryKey: sessionQuery(platform).queryKey })
      toast(words.server.saved)
      onSaved(Object.keys(changes))
    },
    async onError(error) {
      if (!(error instanceof PlatformError) || error.code !== conflict) return
      await queryClient.refetchQueries({ queryKey: configurationQuery(platform).queryKey })
      onConflict(error.param ?? '')
    },
  })
  const { error } = save
  const readWrong = (): WrongSetting => {
    if (!(error instanceof PlatformError) || error.param === null) return null
    if (error.code === conflict) return { name: error.param, text: errorText(error, words.errors) }
    if (error.code !== 'invalid_setting') return null
    return { name: error.param, text: wrongSettingText(error.message, words, language) }
  }
  return { save, wrong: readWrong() }
}
